import type { SiteOptions, SitePage } from './site-shape.ts';
import { Vocabulary } from './vocabulary.ts';

const FIRST_YEAR = 2004;
const MONTHS = 12 * 20;
const ON_HOME = 10;

/**
 * A blog of twenty years: the home page names the newest posts and the years, a year (/2010/) its months, a month (/2010/05/)
 * its posts, a post (/2010/05/post-3 or a slug, by the seed) the one before and the one after.
 */
export function honestBlog({ seed, pages }: SiteOptions): readonly SitePage[] {
  const words = new Vocabulary(seed);
  const posts = Math.max(12, Math.round(pages * 0.75));
  const months = Math.min(MONTHS, Math.ceil(posts / 4));
  const byMonth = Map.groupBy(
    Array.from({ length: posts }, (_, post) => post),
    // Spread over all twenty years, however few there are.
    (post) => Math.floor((Math.floor((post * months) / posts) * MONTHS) / months),
  );
  const monthPath = (month: number): string => `${yearPath(month)}${String((month % 12) + 1).padStart(2, '0')}/`;
  const yearPath = (month: number): string => `/${FIRST_YEAR + Math.floor(month / 12)}/`;
  const postPaths: string[] = [];
  for (const [month, list] of byMonth) {
    for (const [at, post] of list.entries()) {
      const name = seed % 2 === 0 ? `post-${at + 1}` : `${words.slug(post, 3)}-${at + 1}`;
      postPaths[post] = monthPath(month) + name;
    }
  }
  const years = Map.groupBy(byMonth.keys(), yearPath);
  return [
    {
      path: '/',
      title: `Notes on ${words.slug(0)}`,
      links: [...postPaths.slice(-ON_HOME).reverse(), ...years.keys()],
      words: 80,
    },
    ...[...years].map(([path, list]) => ({
      path,
      title: `The year ${path.slice(1, 5)}: ${words.title(list[0], 2)}`,
      links: [...list.map(monthPath), '/'],
      words: 60,
    })),
    ...[...byMonth].map(([month, list]) => ({
      path: monthPath(month),
      title: `${monthPath(month).slice(1, -1)}: ${words.title(10_000 + month, 2)}`,
      links: [...list.map((post) => postPaths[post]), yearPath(month), '/'],
      words: 50,
    })),
    ...[...byMonth].flatMap(([month, list]) =>
      list.map((post) => ({
        path: postPaths[post],
        title: words.title(20_000 + post),
        links: [
          ...postPaths.slice(Math.max(0, post - 1), post),
          ...postPaths.slice(post + 1, post + 2),
          monthPath(month),
        ],
        words: 160 + (post % 5) * 30,
      })),
    ),
  ];
}
