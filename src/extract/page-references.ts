import { type ByteText, byteSourceOf } from './byte-text.ts';
import { RAW_TEXT } from './element-traits.ts';
import { HtmlScanner } from './html-scanner.ts';

/** A place in markup that names something else. */
export interface PageReference {
  /**
   * `link`: a page to go to. `image`, `images` (a srcset) and `style-sheet`: an address of a part of the page. `style`: a style
   * attribute; `sheet`: the text of a STYLE element. `integrity`: a digest of a style sheet.
   */
  readonly kind: 'link' | 'image' | 'images' | 'style-sheet' | 'style' | 'sheet' | 'integrity';
  /** Character references replaced. */
  readonly value: string;
  /** Where the value lies in the text, with its quotation marks. */
  readonly start: number;
  readonly end: number;
}

/** Attributes that name a part of the page, by element. */
const PARTS: Readonly<Record<string, Readonly<Record<string, PageReference['kind']>>>> = {
  a: { href: 'link' },
  area: { href: 'link' },
  img: { src: 'image', srcset: 'images' },
  source: { srcset: 'images' },
  input: { src: 'image' },
  video: { poster: 'image' },
  body: { background: 'image' },
  table: { background: 'image' },
  td: { background: 'image' },
  th: { background: 'image' },
};

export interface PageReferences {
  readonly text: ByteText;
  readonly references: PageReference[];
  /** Where the LINK elements begin that name a style sheet and make a browser connect to nothing else. */
  readonly sheetLinks: ReadonlySet<number>;
}

const LINK_PARTS = { href: 'style-sheet', integrity: 'integrity' } as const;

/** Where a document names pages and parts of its own, in order; for who writes it again with other addresses. */
export function pageReferences(markup: string): PageReferences {
  const source = byteSourceOf(markup);
  const { text } = source;
  const scanner = new HtmlScanner(source, true);
  const references: PageReference[] = [];
  const sheetLinks = new Set<number>();
  for (let token = scanner.next(); token !== 'end'; token = scanner.next()) {
    if (token !== 'start-tag') continue;
    const element = scanner.tagName();
    const attributes = scanner.writtenAttributes();
    const named = element === 'link' ? linkParts(attributes) : PARTS[element];
    if (named === LINK_PARTS) sheetLinks.add(scanner.tokenStart);
    for (const { name, value, start, end } of attributes) {
      const kind = name === 'style' ? name : named?.[name];
      if (kind !== undefined && end > start) references.push({ kind, value, start, end });
    }
    if ((scanner.traits & RAW_TEXT) === 0) continue;
    scanner.readRawText(element);
    const { textStart: start, textEnd: end } = scanner;
    if (element === 'style') references.push({ kind: 'sheet', value: scanner.text(), start, end });
  }
  return { text, references, sheetLinks };
}

function linkParts(
  attributes: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, PageReference['kind']>> | undefined {
  const rel =
    attributes
      .find(({ name }) => name === 'rel')
      ?.value.toLowerCase()
      .split(/\s+/) ?? [];
  const connects = rel.includes('preconnect') || rel.includes('dns-prefetch');
  return rel.includes('stylesheet') && !connects ? LINK_PARTS : undefined;
}
