/** Of so few pages the end is over in a moment. */
const LEAST_PAGES = 500;
/** The last URLs are this share of the pages. */
const LEFT_SHARE = 1 / 100;
/** What was prepared may have to be done again: a crawl whose queue is always short pays for it three times at most. */
const GROWTH = 1.5;

export interface CrawlCourse {
  /** Whose links the index holds. */
  readonly pages: number;
  /** When the end was prepared last; 0 where it was not. */
  readonly preparedPages: number;
  /** URLs that are still to be visited. */
  readonly waiting: number;
}

/** Whether only the last URLs of a crawl wait for their turn, and it is worth while to do what its end would do. */
export function isAlmostOver({ pages, preparedPages, waiting }: CrawlCourse): boolean {
  return pages >= Math.max(LEAST_PAGES, GROWTH * preparedPages) && waiting <= LEFT_SHARE * pages;
}
