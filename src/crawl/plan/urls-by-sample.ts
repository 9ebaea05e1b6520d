import type { Range } from './unseen-urls.ts';

/** What a page of a sample has led to. */
export interface PageDiscoveries {
  /** URLs that it links to and that the crawl may ask for. */
  readonly links: number;
  /** Of these, URLs that no page before it had named. */
  readonly unknown: number;
}

/** What the pages of a sample, taken in random order, have led to. */
export interface SampleGrowth {
  /** URLs known by now, the visited ones among them. */
  readonly known: number;
  /** For each page whose links were read, in order. */
  readonly discoveries: readonly PageDiscoveries[];
}

export interface UrlsBySample extends Range {
  /** New URLs that one more page brings, by what the last ones brought. */
  readonly perPage: number;
}

/** The first pages, with the menus and tables of contents, are not like the others. */
const LATE_PART = 2 / 3;
/** This many of the richest late pages count as the next richest: a list of all pages is found once, not again and again. */
const LISTS = 2;
/** How fast new URLs per page fall with the pages visited, as a power: on the sites that were measured, and at the least. */
const USUAL_FALL = 0.6;
const SLOWEST_FALL = 0.5;
/** Standard errors above the mean, and the upper bound of a rate of which nothing was seen (the rule of three). */
const ERRORS = 2;
const UNSEEN = 3;
/** Where hardly a link is known, the share of known links tells nothing. */
const LEAST_COVERAGE = 0.02;
const HALVINGS = 60;
const BEYOND_COUNTING = 1e9;

/**
 * How many URLs there are, by a sample of pages. What is known is the least that there can be. Two models say what is likely:
 * - Links lead anywhere alike: the share of the late links that was known before is the share of all URLs that is known.
 * - Every part that is visited opens others: new URLs per page fall as a power of the pages visited, and the web is at its end
 *   where all that is known was visited.
 * The likely figure is their geometric mean; docs/plan.md has figures.
 */
export function urlsBySample({ known, discoveries }: SampleGrowth): UrlsBySample {
  const visited = discoveries.length;
  if (visited === 0 || known <= visited) return { low: known, likely: known, high: known, perPage: 0 };
  const late = discoveries.slice(-Math.max(1, Math.round(visited * LATE_PART)));
  const found = late.map(({ unknown }) => unknown).sort((one, other) => one - other);
  const most = meanOf(found);
  const { mean: perPage } = meanOf(found.map((count) => Math.min(count, found[Math.max(0, found.length - 1 - LISTS)])));
  const growing = whereItEnds(visited, known, perPage, USUAL_FALL);
  const bound = most.mean + ERRORS * most.error + UNSEEN / found.length;
  const high = Math.max(growing, whereItEnds(visited, known, bound, SLOWEST_FALL));
  const links = late.reduce((sum, page) => sum + page.links, 0);
  const coverage = links === 0 ? 1 : 1 - (most.mean * found.length) / links;
  const even = Math.min(high, known / Math.max(LEAST_COVERAGE, coverage));
  return { low: known, likely: Math.sqrt(even * growing), high, perPage };
}

/** The x at which known(x) = x, where known grows from now on by perPage (visited / x)^fall for each page. */
function whereItEnds(visited: number, known: number, perPage: number, fall: number): number {
  const knownAt = (x: number): number => known + (perPage * visited * ((x / visited) ** (1 - fall) - 1)) / (1 - fall);
  let low = known;
  let high = known;
  while (knownAt(high) > high && high < BEYOND_COUNTING) high *= 2;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (knownAt(middle) > middle) low = middle;
    else high = middle;
  }
  return high;
}

function meanOf(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / Math.max(1, values.length - 1) / values.length) };
}
