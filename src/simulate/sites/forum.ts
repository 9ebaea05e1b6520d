import type { SiteOptions, SitePage } from './site-shape.ts';
import { Vocabulary } from './vocabulary.ts';

const THREADS_PER_PAGE = 15;
/** Threads have one to four pages: two on average over eight. */
const THREAD_PAGES = [1, 1, 2, 1, 4, 2, 1, 4] as const;

/** A forum: boards with pages of threads, threads with pages of posts. */
export function forum({ seed, pages }: SiteOptions): readonly SitePage[] {
  const words = new Vocabulary(seed);
  const threads = Math.max(4, Math.round(pages / 2.1));
  const boards = Math.max(1, Math.min(8, Math.round(threads / 40)));
  const perBoard = Math.ceil(threads / boards);
  const paged = (path: string, page: number): string => (page === 0 ? path : `${path}?page=${page + 1}`);
  const boardPath = (board: number): string => `/board/${board + 1}-${words.slug(board, 1)}`;
  const threadPath = (thread: number): string => `/thread/${thread + 1}-${words.slug(100 + thread, 3)}`;
  const made: SitePage[] = [
    {
      path: '/',
      title: `Forum of ${words.slug(3)}`,
      links: Array.from({ length: boards }, (_, board) => boardPath(board)),
      words: 70,
    },
  ];
  for (let board = 0; board < boards; board++) {
    const first = board * perBoard;
    const count = Math.min(perBoard, threads - first);
    const boardPages = Math.max(1, Math.ceil(count / THREADS_PER_PAGE));
    for (let page = 0; page < boardPages; page++) {
      const from = first + page * THREADS_PER_PAGE;
      const shown = Array.from({ length: Math.min(THREADS_PER_PAGE, first + count - from) }, (_, at) => from + at);
      const next = page + 1 < boardPages ? [paged(boardPath(board), page + 1)] : [];
      made.push({
        path: paged(boardPath(board), page),
        title: `${words.title(60_000 + board, 2)}, page ${page + 1}`,
        links: [...shown.map(threadPath), ...next, '/'],
        words: 45,
      });
    }
    for (let thread = first; thread < first + count; thread++) {
      const length = THREAD_PAGES[thread % THREAD_PAGES.length];
      for (let page = 0; page < length; page++) {
        const neighbours = [page + 1, page - 1].filter((other) => other >= 0 && other < length);
        made.push({
          path: paged(threadPath(thread), page),
          title: `${words.title(thread)}${page === 0 ? '' : `, page ${page + 1}`}`,
          links: [...neighbours.map((other) => paged(threadPath(thread), other)), boardPath(board)],
          words: 220,
        });
      }
    }
  }
  return made;
}
