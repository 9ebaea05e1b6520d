import type { SiteOptions, SitePage } from './site-shape.ts';
import { Vocabulary } from './vocabulary.ts';

const CHAPTERS = 60;

/** Books of sixty chapters: the home page names the first chapter of each, a chapter the next and the one before. */
export function chapterChain({ seed, pages }: SiteOptions): readonly SitePage[] {
  const words = new Vocabulary(seed);
  const books = Array.from({ length: Math.max(1, Math.round(pages / CHAPTERS)) }, (_, book) => {
    const length = Math.min(CHAPTERS, pages - 1);
    const folder = `/${words.slug(book)}-${book + 1}`;
    return Array.from({ length }, (_, chapter) => `${folder}/chapter-${chapter + 1}${seed % 2 === 0 ? '' : '.html'}`);
  });
  const home = { path: '/', title: `Library of ${words.slug(1)}`, links: books.map((book) => book[0]), words: 80 };
  const chapters = books.flatMap((paths, book) =>
    paths.map((path, chapter) => ({
      path,
      title: `Chapter ${chapter + 1}: ${words.title(1000 * (book + 1) + chapter, 3)}`,
      links: [...paths.slice(chapter + 1, chapter + 2), ...paths.slice(Math.max(0, chapter - 1), chapter), '/'],
      words: 260,
    })),
  );
  return [home, ...chapters];
}
