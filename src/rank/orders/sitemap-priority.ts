import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { WaitingPlace } from '../../contracts/place.ts';
import type { HostKey } from '../../contracts/url.ts';
import { type Evidence, isNewLink, type NumberedVisit } from './evidence.ts';
import type { Column, PageNumber, PageTable } from './page-table.ts';

/** Sitemaps of more hosts than this have no say. */
const MOST_SOURCES = 0xffff;
const MOST_LINKS = 0xffff;
/** Added to priorities, so that one of 0 is a few doublings below the others and no more. */
const FLOOR = 0.1;
/** Before anything is measured a site's priorities are believed this far, and this many pages are needed to doubt it. */
const FIRST_TRUST = 0.25;
const DOUBT = 20;

/** What a sitemap itself is worth, in doublings: it tells of many pages, and which of them its site prefers. */
const FILE_WORTH = 2;
const FILE = 0xff;
const FILE_SAID = 'it is a sitemap';

/** The priorities that the sitemaps of one host give. */
interface Source {
  pages: number;
  sum: number;
  /** 0 to 1: how far pages of high priority are those that are linked to. */
  trust: number;
}

/** What a correlation is computed from. */
interface Sums {
  pages: number;
  x: number;
  y: number;
  xx: number;
  yy: number;
  xy: number;
}

/**
 * The priority that a site's own sitemap gives a page, against the mean of its priorities: who calls everything important says
 * nothing. It counts as far as it agrees with the links that the crawl has found: the correlation of both over all pages of the site.
 */
export class SitemapPriority implements Evidence {
  readonly #table: PageTable;
  /** In hundredths, plus one; 0 where none is given; `FILE` for a sitemap. */
  readonly #priority: Column<Uint8Array>;
  /** Number of the source, from 1. */
  readonly #source: Column<Uint16Array>;
  readonly #links: Column<Uint16Array>;
  readonly #numbers = new Map<HostKey, number>();
  readonly #sources: Source[] = [];

  constructor(table: PageTable) {
    this.#table = table;
    this.#priority = table.column(Uint8Array);
    this.#source = table.column(Uint16Array);
    this.#links = table.column(Uint16Array);
  }

  worth(page: PageNumber): number {
    if (this.#priority.values[page] === FILE) return FILE_WORTH;
    const source = this.#sources[this.#source.values[page] - 1];
    if (source === undefined) return 0;
    return source.trust * Math.log2((this.#of(page) + FLOOR) / (source.sum / source.pages + FLOOR));
  }

  say(page: PageNumber): string | undefined {
    if (this.#priority.values[page] === FILE) return FILE_SAID;
    const source = this.#sources[this.#source.values[page] - 1];
    if (source === undefined) return undefined;
    return `its sitemap gives it priority ${this.#of(page)} (${Math.round(100 * source.trust)} % believed)`;
  }

  entered(page: PageNumber, { discovery }: CrawlTask): void {
    if (discovery.how === 'sitemap-file') this.#priority.values[page] = FILE;
  }

  listed({ targets, count, visit }: NumberedVisit): void {
    const { priority, task } = visit;
    if (priority === undefined) return;
    for (let at = 0; at < count; at++) {
      if (targets[at] >= 0 && !Number.isNaN(priority[at])) this.#set(targets[at], task.host, priority[at]);
    }
  }

  /** The words that explain its place are all that was kept of it. */
  restored(page: PageNumber, { why = '', host }: WaitingPlace): void {
    if (why.includes(FILE_SAID)) this.#priority.values[page] = FILE;
    const said = /its sitemap gives it priority ([\d.]+)/.exec(why)?.[1];
    if (said !== undefined) this.#set(page, host, Math.min(1, Number(said)));
  }

  visited(visit: NumberedVisit): void {
    const links = this.#links.values;
    for (let at = 0; at < visit.count; at++) {
      if (isNewLink(visit, at) && links[visit.targets[at]] < MOST_LINKS) links[visit.targets[at]]++;
    }
  }

  refresh(): void {
    if (this.#sources.length === 0) return;
    const sums = this.#sources.map((): Sums => ({ pages: 0, x: 0, y: 0, xx: 0, yy: 0, xy: 0 }));
    for (let page = 0; page < this.#table.end; page++) {
      const number = this.#source.values[page];
      if (number === 0) continue;
      addPair(sums[number - 1], this.#of(page), Math.log2(1 + this.#links.values[page]));
    }
    for (const [at, sum] of sums.entries()) {
      const source = this.#sources[at];
      // Pages that were forgotten since count no more.
      source.pages = sum.pages;
      source.sum = sum.x;
      const agreement = correlationOf(sum);
      const measured = agreement === undefined ? 0 : sum.pages;
      const trust = (FIRST_TRUST * DOUBT + (agreement ?? 0) * measured) / (DOUBT + measured);
      source.trust = Math.max(0, Math.min(1, trust));
    }
  }

  #of(page: PageNumber): number {
    return (this.#priority.values[page] - 1) / 100;
  }

  #set(page: PageNumber, host: HostKey, priority: number): void {
    const number = this.#numberOf(host);
    if (number === undefined || this.#priority.values[page] === FILE) return;
    const before = this.#sources[this.#source.values[page] - 1];
    if (before !== undefined) {
      before.pages--;
      before.sum -= this.#of(page);
    }
    this.#priority.values[page] = 1 + Math.round(100 * priority);
    this.#source.values[page] = number;
    const source = this.#sources[number - 1];
    source.pages++;
    source.sum += this.#of(page);
  }

  #numberOf(host: HostKey): number | undefined {
    const known = this.#numbers.get(host);
    if (known !== undefined || this.#sources.length >= MOST_SOURCES) return known;
    this.#sources.push({ pages: 0, sum: 0, trust: FIRST_TRUST });
    this.#numbers.set(host, this.#sources.length);
    return this.#sources.length;
  }
}

function addPair(sums: Sums, x: number, y: number): void {
  sums.pages++;
  sums.x += x;
  sums.y += y;
  sums.xx += x * x;
  sums.yy += y * y;
  sums.xy += x * y;
}

/** Undefined where all priorities, or all numbers of links, are the same: there is nothing to compare. */
function correlationOf({ pages, x, y, xx, yy, xy }: Sums): number | undefined {
  const spread = (pages * xx - x * x) * (pages * yy - y * y);
  // What is left of equal values by rounding is no spread.
  return spread > 1e-9 * pages ** 4 ? (pages * xy - x * y) / Math.sqrt(spread) : undefined;
}
