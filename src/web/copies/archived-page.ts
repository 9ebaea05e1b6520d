import { type ByteText, byteTextOf, decodeBytes } from '../../extract/byte-text.ts';
import { type PageReference, pageReferences } from '../../extract/page-references.ts';
import { parseSrcset } from '../../extract/srcset.ts';
import { escapeMarkup } from '../frame/html.ts';
import { outerLink } from '../frame/links.ts';
import { type ArchivedParts, partUrl } from './archived-parts.ts';

export interface ArchivedPageParts {
  readonly markup: string;
  /** What the addresses of the page count from. */
  readonly base: string;
  /** The address of the page itself. */
  readonly url: string;
  /** Where the reader is: where links to places of the same page lead. */
  readonly here: string;
  readonly parts: ArchivedParts;
  /** Where a page is shown from the archive; undefined where it is not held. */
  readonly linkTo: (url: string) => string | undefined;
}

/** Marks links that leave the archive; see the style sheet of the banner. */
export const LIVE_MARK = 'data-orbweaver-live';

/**
 * The markup of a page with its parts in it, and with links that stay in the archive where it holds their target. Only values of
 * attributes, texts of STYLE elements and names of LINK elements are replaced, and frames emptied; what is not understood stays as it was, and the policy
 * of the reply holds.
 */
export async function archivedPage(page: ArchivedPageParts): Promise<string> {
  const { text: written, references, sheetLinks } = pageReferences(page.markup);
  const text = withoutOtherLinks(written, sheetLinks);
  const pieces: string[] = [];
  let at = 0;
  for (const reference of references) {
    const replacement = await replacementOf(reference, page);
    if (replacement === undefined) continue;
    pieces.push(text.slice(at, reference.start), byteTextOf(replacement));
    at = reference.end;
  }
  return decodeBytes(withoutFrames(pieces.concat(text.slice(at)).join('')) as ByteText);
}

/**
 * No policy keeps a browser from connecting to hosts that a LINK names (`preconnect`, `dns-prefetch`). All but those of style sheets
 * become META elements, which stand in the same places and mean nothing. Wherever `<link` is written, for what looks like a text to
 * the scanner may be an element to a browser.
 */
function withoutOtherLinks(text: ByteText, sheetLinks: ReadonlySet<number>): ByteText {
  return text.replace(/<link(?=[\t\n\f\r />])/gi, (tag, at: number) =>
    sheetLinks.has(at) ? tag : '<meta',
  ) as ByteText;
}

/** A browser connects to a frame's host before the policy refuses it, and `srcdoc` may hold LINKs. First attribute counts. */
function withoutFrames(text: string): string {
  return text.replace(/<i?frame(?=[\t\n\f\r />])/gi, '$& srcdoc="" src=""');
}

/** Undefined: it stays as it is. */
async function replacementOf({ kind, value }: PageReference, page: ArchivedPageParts): Promise<string | undefined> {
  const { base, parts } = page;
  switch (kind) {
    case 'link':
      return linkOf(value, page);
    case 'image':
    case 'style-sheet': {
      const url = partUrl(value, base);
      const data = url && (await (kind === 'image' ? parts.image(url) : parts.sheet(url)));
      return data && quoted(data);
    }
    case 'images':
      return quoted(await heldImages(value, page));
    case 'style':
    case 'sheet': {
      const css = await parts.css(value, base);
      if (css === value) return undefined;
      return kind === 'style' ? quoted(css) : css;
    }
    case 'integrity':
      // The digest is that of the sheet as it was sent, without its parts in it.
      return quoted('');
  }
}

function linkOf(value: string, { base, url, here, linkTo }: ArchivedPageParts): string | undefined {
  const target = URL.parse(value.trim(), base);
  const live = outerLink(target?.href);
  if (target === null || live === undefined) return undefined;
  const place = target.hash;
  target.hash = '';
  if (place !== '' && target.href === URL.parse(url)?.href) return quoted(here + place);
  const held = linkTo(target.href);
  return held === undefined ? `${quoted(live)} ${LIVE_MARK}=""` : quoted(held + place);
}

/** Of the candidates those that are held: a browser must not choose another one. */
async function heldImages(srcset: string, { base, parts }: ArchivedPageParts): Promise<string> {
  const held: string[] = [];
  for (const { url: reference, width, density } of parseSrcset(srcset)) {
    const url = partUrl(reference, base);
    const data = url === undefined ? undefined : await parts.image(url);
    if (data !== undefined) held.push(`${data} ${width === undefined ? `${density ?? 1}x` : `${width}w`}`);
  }
  return held.join(', ');
}

function quoted(value: string): string {
  return `"${escapeMarkup(value)}"`;
}
