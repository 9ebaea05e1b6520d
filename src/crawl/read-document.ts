import { charsetOf, decode } from '../convert/charset.ts';
import { mediaTypeOf } from '../convert/media-type.ts';
import { type ExtractedPage, extractPage } from '../extract/extract-page.ts';

export interface ReadOptions {
  /** As the server sent it. */
  readonly contentType?: string;
  /** Also gather the visible text. */
  readonly text?: boolean;
  readonly resources?: boolean;
}

export interface ReadDocument {
  readonly mediaType: string;
  readonly charset?: string;
  /** Absent where the document is not HTML. */
  readonly page?: ExtractedPage;
  /** '' unless asked for; of a document that is not HTML only where it is text already. */
  readonly text: string;
}

/** Hops 6 and 7: bytes to text, text to page. Never throws, whatever the bytes. */
export function readDocument(body: Uint8Array, url: string, options: ReadOptions): ReadDocument {
  const media = mediaTypeOf(options.contentType, body, url);
  if (!media.isText && !media.isHtml) return { mediaType: media.type, text: '' };
  const hints = { xml: media.isXml, ...(media.charset === undefined ? {} : { label: media.charset }) };
  const charset = charsetOf(body, hints).encoding;
  const wantsText = options.text === true;
  if (!media.isHtml) return { mediaType: media.type, charset, text: wantsText ? decode(body, charset) : '' };
  const page = extractPage(decode(body, charset), { url, resources: options.resources === true, text: wantsText });
  return { mediaType: media.type, charset, page, text: page.text };
}
