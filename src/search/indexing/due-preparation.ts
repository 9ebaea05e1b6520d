/** Of so few pages the end is over in a moment. */
const LEAST_PAGES = 500;
/** The last URLs are this share of the pages, where those wait for long. */
const LEFT_SHARE = 1 / 100;
/**
 * Where pages keep coming, the end has to be prepared before them: it takes about as long as so many of them. Much sooner, what they say
 * of others would leave little of what was prepared.
 */
const COMING_SHARE = 3 / 100;
/** Where that would be passed before the index is looked at again, it is prepared with so many left, or ... */
const MOST_COMING_SHARE = 5 / 100;
/** ... with as many as have come since it was looked at last, and half as many. */
const LOOKS_LEFT = 1.5;
/** URLs that a page of the last ones brings at most: where it brings more, the end is not near. */
const MOST_FOUND = 0.2;
/** What was prepared may have to be done again: a crawl whose queue is always short pays for it three times at most. */
const GROWTH = 1.5;

/** A crawl at a moment. */
export interface CrawlMoment {
  /** Whose links the index holds. */
  readonly pages: number;
  /** URLs whose turn is still to come. */
  readonly queued: number;
  /** URLs that are tried again later. */
  readonly later: number;
}

export interface CrawlCourse {
  readonly now: CrawlMoment;
  /** When the index was looked at last; undefined where it was not. */
  readonly before: CrawlMoment | undefined;
  /** When the end was prepared last, by what was prepared; 0 where it was not. */
  readonly prepared: Readonly<Record<Preparation, number>>;
}

/** 'all': whatever the end would do. 'anchors': those of each document, since pages keep coming, and change every rank. */
export type Preparation = 'all' | 'anchors';

/** What of the end of a crawl to prepare, where only its last URLs wait for their turn; undefined where that is not worth while. */
export function duePreparation({ now, before, prepared }: CrawlCourse): Preparation | undefined {
  const { pages, queued, later } = now;
  if (pages < LEAST_PAGES || before === undefined) return undefined;
  const isDue = (what: Preparation): boolean => pages >= GROWTH * prepared[what];
  // What has just come is seldom the last: each page says something of many others. And tries that are to come leave time.
  if (pages === before.pages) return queued + later <= LEFT_SHARE * pages && isDue('all') ? 'all' : undefined;
  const isNear = later === 0 && queued <= comingLeft(before, now) && foundByPage(before, now) <= MOST_FOUND;
  return isNear && isDue('anchors') ? 'anchors' : undefined;
}

function comingLeft(before: CrawlMoment, { pages }: CrawlMoment): number {
  const soon = Math.min(MOST_COMING_SHARE * pages, LOOKS_LEFT * (pages - before.pages));
  return Math.max(COMING_SHARE * pages, soon);
}

function foundByPage(before: CrawlMoment, now: CrawlMoment): number {
  const taken = now.pages - before.pages;
  return (taken + now.queued - before.queued) / taken;
}
