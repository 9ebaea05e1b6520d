import type { SiteOptions, SitePage } from './site-shape.ts';
import { Vocabulary } from './vocabulary.ts';

const PER_PAGE = 12;

/** A list in pages (/articles?page=7 or /articles/page/7, by the seed), each with its items and its two neighbours. */
export function paginatedList({ seed, pages }: SiteOptions): readonly SitePage[] {
  const words = new Vocabulary(seed);
  const items = Math.max(PER_PAGE, Math.round((pages * PER_PAGE) / (PER_PAGE + 1)));
  const listPages = Math.ceil(items / PER_PAGE);
  const listPath = (page: number): string => {
    if (page === 0) return '/articles';
    return seed % 2 === 0 ? `/articles?page=${page + 1}` : `/articles/page/${page + 1}`;
  };
  const itemPath = (item: number): string => `/article/${words.slug(item, 3)}-${item + 1}`;
  const home = { path: '/', title: `Articles about ${words.slug(2)}`, links: [listPath(0)], words: 90 };
  const lists = Array.from({ length: listPages }, (_, page) => {
    const shown = Array.from({ length: Math.min(PER_PAGE, items - page * PER_PAGE) }, (_, at) => page * PER_PAGE + at);
    const neighbours = [page + 1, page - 1].filter((other) => other >= 0 && other < listPages);
    return {
      path: listPath(page),
      title: `Articles, page ${page + 1}: ${words.title(50_000 + page, 2)}`,
      links: [...shown.map(itemPath), ...neighbours.map(listPath), '/'],
      words: 40,
    };
  });
  const articles = Array.from({ length: items }, (_, item) => ({
    path: itemPath(item),
    title: words.title(item),
    links: [listPath(Math.floor(item / PER_PAGE)), '/'],
    words: 180 + (item % 4) * 40,
  }));
  return [home, ...lists, ...articles];
}
