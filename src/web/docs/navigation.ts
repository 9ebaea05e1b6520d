import { Marked, type Token, type Tokens } from 'marked';
import { type DocumentFile, linkedFile, sitePath } from './documents.ts';
import { plainText } from './markdown.ts';

/** A topic of the documentation, with its pages. */
export interface Topic {
  readonly name: string;
  readonly pages: readonly TopicPage[];
}

export interface TopicPage {
  readonly name: string;
  readonly path: string;
}

/** The topics, as the table of contents has them: a heading of the second level, and the links to pages in the tables and lists below it. */
export function readTopics(contents: DocumentFile): Topic[] {
  const topics: { name: string; pages: TopicPage[] }[] = [];
  for (const token of new Marked({ gfm: true }).lexer(contents.markdown)) {
    if (token.type === 'heading' && token.depth === 2) topics.push({ name: plainText([token]), pages: [] });
    else if (token.type === 'table' || token.type === 'list')
      for (const link of firstLinks(token)) {
        const path = sitePath(linkedFile(contents.file, link.href.split('#', 1)[0]));
        if (path !== undefined) topics.at(-1)?.pages.push({ name: plainText(link.tokens), path });
      }
  }
  return topics.filter(({ pages }) => pages.length > 0);
}

/** Of each row or item the first. */
function firstLinks(token: Token): Tokens.Link[] {
  const parts: readonly (readonly Token[])[] =
    token.type === 'table'
      ? (token as Tokens.Table).rows.map((row) => row[0].tokens)
      : (token as Tokens.List).items.map(({ tokens }) => tokens);
  return parts.flatMap((tokens) => findLink(tokens) ?? []);
}

function findLink(tokens: readonly Token[]): Tokens.Link | undefined {
  for (const token of tokens) {
    if (token.type === 'link') return token as Tokens.Link;
    const inner = 'tokens' in token && token.tokens !== undefined ? findLink(token.tokens) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
