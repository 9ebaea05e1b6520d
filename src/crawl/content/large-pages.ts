/** Larger pages are read in another thread: these take a quarter of a second at most, whatever they hold, in which no host of this thread is served. */
export const LARGE_PAGE = 2 ** 20;
/**
 * The same where few hosts are crawled: two seconds at most, and hardly one for an honest page. Another thread would hold 60 MB, and compile
 * what is compiled here already: of 10,000 pages of a documentation, 33 larger than half a MiB took a twelfth of the processor time of all there.
 */
export const LARGE_PAGE_OF_FEW_HOSTS = 8 * 2 ** 20;
