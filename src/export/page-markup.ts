import type { ArchivedDocument } from '../contracts/archive.ts';
import type { ExportPage } from '../contracts/export.ts';
import { charsetOf, decode } from '../convert/charset.ts';
import { mediaTypeOf } from '../convert/media-type.ts';

export interface PageMarkup {
  readonly html: string;
  /** It is not the page as it was, but made of its text. */
  readonly isMade: boolean;
  readonly isXhtml: boolean;
}

/** The page itself, in Unicode; of a document of another kind its title and its text. */
export async function pageMarkup(page: ExportPage, { body, url, rawHeaders }: ArchivedDocument): Promise<PageMarkup> {
  const type = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
  const media = mediaTypeOf(type === -1 ? undefined : rawHeaders[type + 1], body, url);
  const isXhtml = media.type === 'application/xhtml+xml';
  if (media.isHtml) {
    const label = media.charset === undefined ? {} : { label: media.charset };
    const html = decode(body, charsetOf(body, { xml: media.isXml, ...label }).encoding);
    return { html, isMade: false, isXhtml };
  }
  const title = page.facts.about?.title ?? page.facts.title ?? '';
  const text = (await page.text()) ?? '';
  const html = `<html><head><title>${escaped(title)}</title></head><body><pre>\n${escaped(text)}\n</pre></body></html>`;
  return { html, isMade: true, isXhtml: false };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
