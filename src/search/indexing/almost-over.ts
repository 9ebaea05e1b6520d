/** Of so few pages the end is over in a moment. */
const LEAST_PAGES = 500;
/** The last URLs are this share of the pages, where those wait for long. */
const LEFT_SHARE = 1 / 100;
/**
 * Where pages keep coming, the end has to be prepared before them: it takes about as long as so many of them. Much sooner, what they say
 * of others would leave little of what was prepared.
 */
const COMING_SHARE = 3 / 100;
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
  /** When the end was prepared last; 0 where it was not. */
  readonly preparedPages: number;
}

/** Whether only the last URLs of a crawl wait for their turn, and it is worth while to do what its end would do. */
export function isAlmostOver({ now, before, preparedPages }: CrawlCourse): boolean {
  const { pages, queued, later } = now;
  if (pages < Math.max(LEAST_PAGES, GROWTH * preparedPages) || before === undefined) return false;
  // What has just come is seldom the last: each page says something of many others. And tries that are to come leave time.
  if (pages === before.pages) return queued + later <= LEFT_SHARE * pages;
  return later === 0 && queued <= COMING_SHARE * pages && foundByPage(before, now) <= MOST_FOUND;
}

function foundByPage(before: CrawlMoment, now: CrawlMoment): number {
  const taken = now.pages - before.pages;
  return (taken + now.queued - before.queued) / taken;
}
