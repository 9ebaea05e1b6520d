import { Marked, type Token, type Tokens } from 'marked';
import { escapeMarkup, type Html, trusted } from '../frame/html.ts';
import { type DocumentFile, linkedFile, relativeLink, sitePath } from './documents.ts';

export interface RenderedDocument {
  readonly title: string;
  readonly content: Html;
  /** Of the second level, for the list beside the page. */
  readonly headings: readonly DocumentHeading[];
}

export interface DocumentHeading {
  readonly text: string;
  readonly anchor: string;
}

/** A page in words, for the index. */
export interface DocumentWords {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

const OUTER = /^https?:\/\//i;
/** The only markup that pages of the documentation use; everything else in angle brackets is shown as it is written. */
const BREAK = /^<br\s*\/?>$/i;

/**
 * A page as HTML. Only markup that is made here comes out: HTML in the page is shown as text, links lead to pages of the site, to anchors, or
 * to the web, and pictures are left out.
 */
export function renderDocument(document: DocumentFile, pages: ReadonlySet<string>): RenderedDocument {
  const anchors = new Anchors();
  const headings: DocumentHeading[] = [];
  let title = document.path;
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => (BREAK.test(text.trim()) ? '<br>' : isComment(text) ? '' : escapeMarkup(text)),
      heading({ depth, tokens }) {
        const text = plainText(tokens);
        const anchor = anchors.next(text);
        if (depth === 1) title = text;
        if (depth === 2) headings.push({ text, anchor });
        const link = `<a class="anchor" href="#${escapeMarkup(anchor)}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${escapeMarkup(anchor)}">${this.parser.parseInline(tokens)}${depth > 1 ? link : ''}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href, document, pages);
        if (target === undefined) return text;
        const rel = OUTER.test(target) ? ' rel="noreferrer"' : '';
        return `<a href="${escapeMarkup(target)}"${rel}>${text}</a>`;
      },
      image: ({ text }) => escapeMarkup(text),
      code: ({ text }) => `<pre tabindex="0"><code>${escapeMarkup(text)}</code></pre>\n`,
      codespan: ({ text }) => `<code>${escapeMarkup(text)}</code>`,
      table(token) {
        const cell = (tag: string, { tokens }: Tokens.TableCell): string =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const row = (tag: string, cells: Tokens.TableCell[]): string =>
          `<tr>${cells.map((one) => cell(tag, one)).join('')}</tr>\n`;
        const body = token.rows.map((cells) => row('td', cells)).join('');
        return `<div class="scroll" tabindex="0"><table><thead>${row('th', token.header)}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const content = trusted(marked.parse(document.markdown, { async: false }));
  return { title, content, headings };
}

/** The words of a page, without code for diagrams and without comments. */
export function documentWords({ markdown, path }: DocumentFile): DocumentWords {
  const tokens = new Marked({ gfm: true }).lexer(markdown);
  const headings: string[] = [];
  const texts: string[] = [];
  let title = '';
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plainText([token]);
      if (token.depth === 1 && title === '') title = text;
      else headings.push(text);
    }
    if (token.type === 'html' || (token.type === 'code' && token.lang === 'mermaid')) continue;
    const text = plainText([token]).trim();
    if (text !== '') texts.push(text);
  }
  return { title: title === '' ? path : title, headings, text: texts.join('\n') };
}

/** What a link leads to: an address of the web, a page of the site, an anchor; undefined for what the site does not have. */
function targetOf(href: string, { file, path }: DocumentFile, pages: ReadonlySet<string>): string | undefined {
  if (OUTER.test(href) || href.startsWith('#')) return href;
  if (/^[a-z][a-z\d+.-]*:|^\//i.test(href)) return undefined;
  const [target, anchor] = href.split('#', 2);
  const linked = sitePath(linkedFile(file, target));
  if (linked === undefined || !pages.has(linked)) return undefined;
  return relativeLink(path, linked) + (anchor === undefined ? '' : `#${anchor}`);
}

/** The text that a reader sees. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join('');
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(({ tokens }) => plainText(tokens)).join(' \u00b7 ')).join('\n');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join('\n');
  if (token.type === 'html') return BREAK.test(token.raw.trim()) ? ' ' : isComment(token.raw) ? '' : token.raw;
  if (token.type === 'br' || token.type === 'space') return '\n';
  if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
  return 'text' in token ? (token.text as string) : '';
}

function isComment(markup: string): boolean {
  return markup.trimStart().startsWith('<!--');
}

/** The anchors that GitHub makes of headings, so that links work there and here. */
class Anchors {
  readonly #taken = new Set<string>();

  next(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let number = 1; this.#taken.has(anchor); number++) anchor = `${slug}-${number}`;
    this.#taken.add(anchor);
    return anchor;
  }
}
