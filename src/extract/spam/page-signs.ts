import type { SpamSign } from '../../contracts/content/spam.ts';
import { registrableDomain } from '../../url/public-suffix.ts';
import { byteSourceOf } from '../byte-text.ts';
import type { HtmlScanner } from '../html-scanner.ts';
import { scanOnce } from '../scan-once.ts';
import { couldBeDoorway, doorway, type LeadAway } from './doorway.ts';
import { PageWalk } from './page-walk.ts';
import { termStuffing } from './term-stuffing.ts';
import { wordStatistics } from './word-statistics.ts';

export interface ReadPage {
  /** The body as received where it is UTF-8, else the decoded text. */
  readonly source: Uint8Array | string;
  readonly url: string;
  /** The main text; of a page that is no article, what of it is prose. */
  readonly text: string;
  readonly title?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly linkCount: number;
}

/** What speaks for spam on one page, the strongest sign first; empty for nearly every honest page. Pure; never throws. */
export function pageSpamSigns(page: ReadPage): readonly SpamSign[] {
  const [walk] = scanOnce<[PageWalk]>(byteSourceOf(page.source), [pageWalk(page.url)]);
  return signsOf(walk, page);
}

/** Makes the reader of a page at this URL. */
export function pageWalk(url: string): (scanner: HtmlScanner) => PageWalk {
  const sites = new OtherSites(url);
  return (scanner) => new PageWalk(scanner, (reference) => sites.siteOf(reference));
}

/** The same, where the document has been read already. */
export function signsOf(walk: PageWalk, page: Omit<ReadPage, 'source'>): readonly SpamSign[] {
  const sites = new OtherSites(page.url);
  const { title = '', description = '', keywords = [] } = page;
  const stats = wordStatistics(page.text);
  const mayLeadAway = couldBeDoorway(stats, title);
  const signs: SpamSign[] = [];
  const stuffed = termStuffing({ stats, title, description, keywords, alts: walk.alts });
  if (stuffed !== undefined) signs.push(stuffed);
  const hidden = walk.hidden.sign();
  if (hidden !== undefined) signs.push(hidden);
  const lead = mayLeadAway ? leadAway(walk, sites) : undefined;
  const door = lead === undefined ? undefined : doorway(lead, stats, title);
  if (door !== undefined) signs.push(door);
  return signs.sort((a, b) => b.weight - a.weight);
}

function leadAway(walk: PageWalk, sites: OtherSites): LeadAway | undefined {
  for (const { target, byReferrer, veiled } of walk.redirects()) {
    const to = sites.siteOf(target);
    if (to !== undefined) return { how: 'script', to, byReferrer, veiled };
  }
  for (const target of walk.refreshes) {
    const to = sites.siteOf(target);
    if (to !== undefined) return { how: 'META refresh', to, byReferrer: false, veiled: false };
  }
  for (const target of walk.covers) {
    const to = sites.siteOf(target);
    if (to !== undefined) return { how: 'frame over the whole page', to, byReferrer: false, veiled: false };
  }
  return undefined;
}

/** Tells the sites that references lead to from the page's own. */
export class OtherSites {
  readonly #base: string;
  #own: string | undefined;

  constructor(url: string) {
    this.#base = url;
  }

  /** The registrable domain that a reference leads to, or undefined where it stays on the site of the page. */
  siteOf(reference: string): string | undefined {
    const host = /^\s*(?:https?:)?[/\\]{2}(?:[^/\\@?#]*@)?([^/\\:?#\s]+)/i.exec(reference)?.[1];
    if (host === undefined) return undefined;
    this.#own ??= siteOfHost(URL.parse(this.#base)?.hostname ?? '');
    const site = siteOfHost(host);
    return site === this.#own ? undefined : site;
  }
}

function siteOfHost(host: string): string {
  return registrableDomain(host) ?? host.toLowerCase();
}
