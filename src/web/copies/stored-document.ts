import { charsetOf, decode } from '../../convert/charset.ts';
import { mediaTypeOf } from '../../convert/media-type.ts';
import { extractPage } from '../../extract/extract-page.ts';
import type { WebCopy } from '../web-reader.ts';
import { bitmapType } from './part-types.ts';

export interface StoredPage {
  readonly kind: 'page';
  readonly mediaType: string;
  readonly markup: string;
  /** What its links count from. */
  readonly base: string;
}

/** What a stored copy is, as far as showing it goes. */
export type StoredDocument =
  | StoredPage
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  /** One of the kinds that cannot hold a script, and its bytes say so too. */
  | { readonly kind: 'picture'; readonly mediaType: string }
  | { readonly kind: 'file'; readonly mediaType: string };

/** Longer texts are cut where they are shown: no browser lays them out in good time. */
const MAX_SHOWN = 4_000_000;

export function storedDocument(copy: WebCopy): StoredDocument {
  const { body, url, address = url, contentType } = copy;
  const media = mediaTypeOf(contentType, body, url);
  const picture = bitmapType(body);
  if (picture !== undefined && picture === media.type) return { kind: 'picture', mediaType: picture };
  if (!media.isText && !media.isHtml && !media.isXml) return { kind: 'file', mediaType: media.type };
  const { encoding } = charsetOf(body, {
    xml: media.isXml,
    ...(media.charset === undefined ? {} : { label: media.charset }),
  });
  const text = decode(body, encoding);
  if (!media.isHtml) return { kind: 'text', mediaType: media.type, text: text.slice(0, MAX_SHOWN) };
  const { base } = extractPage(text, { url: address, xhtml: media.type === 'application/xhtml+xml' });
  return { kind: 'page', mediaType: media.type, markup: text, base };
}
