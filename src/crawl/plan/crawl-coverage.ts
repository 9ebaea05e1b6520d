import type { KnownUrl } from '../../contracts/state/known-url.ts';
import { FrontierGrowth } from './frontier-growth.ts';
import { type Range, urlsInAll } from './unseen-urls.ts';

/** Which part of a web a crawl holds, by its own links. */
export interface CrawlCoverage {
  /** URLs that the crawl may ask for: visited, and waiting. */
  readonly known: number;
  readonly visited: number;
  readonly waiting: number;
  /** Pages of which a copy is held. */
  readonly held: number;
  /** URLs that one more page brought, of late. */
  readonly perPage: number;
  /** URLs that there are. */
  readonly urls: Range;
  /** Pages that there are, if as many of the other URLs are pages as of those that were visited. */
  readonly pages: Range;
  /** Share of the pages that is held: `low` where there are the most. */
  readonly share: Range;
}

/** By the estimator of a running crawl, asked after it: how the known URLs grew with the visited ones. Refused links do not count. */
export function crawlCoverage(
  urls: Iterable<Pick<KnownUrl, 'state' | 'foundAt' | 'visitedAt' | 'held'>>,
): CrawlCoverage {
  const found: number[] = [];
  const visits: number[] = [];
  let held = 0;
  for (const { state, foundAt, visitedAt, held: isHeld } of urls) {
    if (state === 'refused-link') continue;
    found.push(foundAt);
    if (state === 'visited') visits.push(visitedAt ?? foundAt);
    if (isHeld === true) held++;
  }
  const visited = visits.length;
  const known = found.length;
  const perPage = growthOf(Float64Array.from(found).sort(), Float64Array.from(visits).sort());
  // The models of a running crawl may promise more; what is known is the least that is sure.
  const all = { ...urlsInAll({ visited, known, perPage }), low: known };
  const perVisit = visited === 0 ? 0 : held / visited;
  const pagesOf = (count: number): number => held + (count - visited) * perVisit;
  const pages = { low: pagesOf(all.low), likely: pagesOf(all.likely), high: pagesOf(all.high) };
  const shareOf = (count: number): number => (count === 0 ? 0 : held / count);
  const share = { low: shareOf(pages.high), likely: shareOf(pages.likely), high: shareOf(pages.low) };
  return { known, visited, waiting: known - visited, held, perPage, urls: all, pages, share };
}

/** New URLs per page in the last part of the crawl. */
function growthOf(found: Float64Array, visits: Float64Array): number {
  const growth = new FrontierGrowth();
  let known = 0;
  for (let at = 0; at < visits.length; at++) {
    while (known < found.length && found[known] <= visits[at]) known++;
    growth.note(at + 1, known);
  }
  return growth.at(visits.length, found.length)?.perPage ?? 0;
}
