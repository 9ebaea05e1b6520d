import { fingerprint } from '../../base/fingerprint.ts';
import type { PlaceHints } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { WaitingPlace } from '../../contracts/place.ts';
import type { Evidence } from './evidence.ts';
import { type Column, type PageNumber, PageState, type PageTable } from './page-table.ts';
import { sayBoost, type UrlBoosts } from './url-boosts.ts';

/** Links followed from the nearest seed: each counts against the page. */
export class LinkDepth implements Evidence {
  readonly #depth: Column<Uint16Array>;

  constructor(table: PageTable) {
    this.#depth = table.column(Uint16Array);
  }

  worth(page: PageNumber): number {
    return -this.#depth.values[page];
  }

  say(page: PageNumber): string {
    return `depth ${this.#depth.values[page]}`;
  }

  entered(page: PageNumber, task: CrawlTask): void {
    this.#depth.values[page] = Math.min(task.depth, 0xffff);
  }

  restored(page: PageNumber, waiting: WaitingPlace): void {
    this.#depth.values[page] = Math.min(waiting.depth, 0xffff);
  }
}

/** Segments of the path, and one for a query: they count against the page, the first most of all, since home pages have none. */
export class PathDepth implements Evidence {
  readonly #segments: Column<Uint8Array>;

  constructor(table: PageTable) {
    this.#segments = table.column(Uint8Array);
  }

  worth(page: PageNumber): number {
    return -Math.log2(1 + this.#segments.values[page]);
  }

  say(page: PageNumber): string {
    return `path depth ${this.#segments.values[page]}`;
  }

  entered(page: PageNumber, task: CrawlTask): void {
    this.#segments.values[page] = Math.min(segmentsOf(task.url), 0xff);
  }
}

/** Known URLs right below a page's path: pages mostly link to the page above, so these stand for links not seen yet. */
export class PathChildren implements Evidence {
  readonly #table: PageTable;
  readonly #children: Column<Uint32Array>;
  readonly #halves = new Uint32Array(2);
  readonly #whole = new BigUint64Array(this.#halves.buffer);

  constructor(table: PageTable) {
    this.#table = table;
    this.#children = table.column(Uint32Array);
  }

  worth(page: PageNumber): number {
    return Math.log2(1 + this.#children.values[page]);
  }

  say(page: PageNumber): string | undefined {
    const children = this.#children.values[page];
    return children === 0 ? undefined : `${children} known ${children === 1 ? 'URL lies' : 'URLs lie'} below it`;
  }

  entered(_page: PageNumber, task: CrawlTask): void {
    const end = task.url.lastIndexOf('/', task.url.length - 2);
    if (end <= task.url.indexOf('://') + 2) return;
    // A page above is spelled with a slash at its end, or without.
    if (!this.#count(task.url.slice(0, end + 1))) this.#count(task.url.slice(0, end));
  }

  #count(url: string): boolean {
    this.#whole[0] = fingerprint(url);
    const page = this.#table.find(this.#halves[0], this.#halves[1]);
    const isKnown = page >= 0 && this.#table.state.values[page] !== PageState.expected;
    if (isKnown) this.#children.values[page]++;
    return isKnown;
  }
}

const DAY_MS = 86_400_000;
const EARLIEST = 1_600_000_000_000;

/** Items of feeds, as long as they are new: what a feed names has just been published. */
export class FeedItems implements Evidence {
  /** An item found just now is worth this many doublings of any other evidence; half of it a day later. */
  static readonly FULL = 4;
  /** Minutes since `EARLIEST` plus one; 0 where it is no item. */
  readonly #foundAt: Column<Uint32Array>;
  readonly #clock: () => number;
  #now: number;

  constructor(table: PageTable, clock: () => number) {
    this.#foundAt = table.column(Uint32Array);
    this.#clock = clock;
    this.#now = clock();
  }

  worth(page: PageNumber): number {
    const foundAt = this.#foundAt.values[page];
    if (foundAt === 0) return 0;
    const age = Math.max(0, this.#now - EARLIEST - (foundAt - 1) * 60_000);
    return FeedItems.FULL * 2 ** (-age / DAY_MS);
  }

  say(page: PageNumber): string | undefined {
    return this.#foundAt.values[page] === 0 ? undefined : 'item of a feed';
  }

  entered(page: PageNumber, task: CrawlTask, hints: PlaceHints | undefined): void {
    if (task.discovery.how !== 'feed' && hints?.link?.kind !== 'feed') return;
    this.#now = this.#clock();
    this.#found(page, this.#now);
  }

  restored(page: PageNumber, { inFeed, foundAt }: WaitingPlace): void {
    if (inFeed) this.#found(page, foundAt);
  }

  refresh(): void {
    this.#now = this.#clock();
  }

  #found(page: PageNumber, at: number): void {
    this.#foundAt.values[page] = 1 + Math.max(0, Math.floor((at - EARLIEST) / 60_000));
  }
}

/** What the user wants sooner or later. */
export class UserBoost implements Evidence {
  readonly isWish = true;
  readonly #boosts: UrlBoosts;
  readonly #boost: Column<Float32Array>;

  constructor(table: PageTable, boosts: UrlBoosts) {
    this.#boosts = boosts;
    this.#boost = table.column(Float32Array);
  }

  worth(page: PageNumber): number {
    return this.#boost.values[page];
  }

  say(page: PageNumber): string | undefined {
    return sayBoost(this.#boost.values[page]);
  }

  entered(page: PageNumber, task: CrawlTask, hints: PlaceHints | undefined): void {
    this.#boost.values[page] = this.#boosts.of(task, hints?.link);
  }
}

function segmentsOf(url: string): number {
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  let segments = query < 0 ? 0 : 1;
  for (let at = url.indexOf('/', url.indexOf('://') + 3); at >= 0 && at < end - 1; at = url.indexOf('/', at + 1))
    segments++;
  return segments;
}
