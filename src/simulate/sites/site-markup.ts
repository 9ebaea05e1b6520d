import type { Vocabulary } from './vocabulary.ts';

const PARAGRAPH_WORDS = 45;

export interface PageToShow {
  readonly title: string;
  readonly site: string;
  /** Names the text. */
  readonly key: number;
  readonly words: number;
  readonly version: number;
  readonly links: readonly ShownLink[];
}

export interface ShownLink {
  readonly href: string;
  readonly label: string;
}

/** A page as a small site's template writes it: navigation, article, list of links, footer. ASCII only. */
export function sitePage(vocabulary: Vocabulary, page: PageToShow): string {
  const list = page.links.map(({ href, label }) => `<li><a href="${href.replaceAll('&', '&amp;')}">${label}</a></li>`);
  const paragraphs = paragraphsOf(vocabulary, page).map((text) => `<p>${text}</p>`);
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${page.title} - ${page.site}</title></head>
<body>
<header><p>${page.site}</p><nav><a href="/">Home</a></nav></header>
<main><article>
<h1>${page.title}</h1>
${paragraphs.join('\n')}
</article>
<ul>
${list.join('\n')}
</ul></main>
<footer><p>Published by ${page.site}</p></footer>
</body>
</html>
`;
}

/** Version v differs from the one before in one paragraph, a different one each time. */
export function paragraphsOf(vocabulary: Vocabulary, { key, words, version }: PageToShow): string[] {
  const count = Math.max(1, Math.round(words / PARAGRAPH_WORDS));
  return Array.from({ length: count }, (_, paragraph) => {
    const rewritten = version - ((((version - 1 - paragraph) % count) + count) % count);
    const edition = rewritten > 0 ? rewritten : 0;
    return vocabulary.text(key, paragraph + edition * 64, Math.round(words / count));
  });
}
