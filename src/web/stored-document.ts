import { charsetOf, decode } from '../convert/charset.ts';
import { mediaTypeOf } from '../convert/media-type.ts';
import { extractPage } from '../extract/extract-page.ts';
import type { WebCopy } from './web-reader.ts';

/** What a stored copy is, as far as showing it goes. */
export type StoredDocument =
  /** `base`: what its links count from. */
  | { readonly kind: 'page'; readonly mediaType: string; readonly markup: string; readonly base: string }
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  /** One of the kinds that cannot hold a script, and its bytes say so too. */
  | { readonly kind: 'picture'; readonly mediaType: string }
  | { readonly kind: 'file'; readonly mediaType: string };

/** First bytes of pictures that browsers draw without running anything. SVG is not among them. */
const PICTURES: readonly (readonly [string, (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (bytes) => startsWith(bytes, 0, '\xff\xd8\xff')],
  ['image/gif', (bytes) => startsWith(bytes, 0, 'GIF8')],
  ['image/webp', (bytes) => startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')],
  ['image/avif', (bytes) => startsWith(bytes, 4, 'ftypavi')],
];

/** Longer texts are cut where they are shown: no browser lays them out in good time. */
const MAX_SHOWN = 4_000_000;

export function storedDocument(copy: WebCopy): StoredDocument {
  const { body, url, contentType } = copy;
  const media = mediaTypeOf(contentType, body, url);
  const picture = PICTURES.find(([, looksLike]) => looksLike(body))?.[0];
  if (picture !== undefined && picture === media.type) return { kind: 'picture', mediaType: picture };
  if (!media.isText && !media.isHtml && !media.isXml) return { kind: 'file', mediaType: media.type };
  const { encoding } = charsetOf(body, {
    xml: media.isXml,
    ...(media.charset === undefined ? {} : { label: media.charset }),
  });
  const text = decode(body, encoding);
  if (!media.isHtml) return { kind: 'text', mediaType: media.type, text: text.slice(0, MAX_SHOWN) };
  const { base } = extractPage(text, { url, xhtml: media.type === 'application/xhtml+xml' });
  return { kind: 'page', mediaType: media.type, markup: text, base };
}

function startsWith(bytes: Uint8Array, offset: number, signature: string): boolean {
  if (bytes.length < offset + signature.length) return false;
  for (let at = 0; at < signature.length; at++) if (bytes[offset + at] !== signature.charCodeAt(at)) return false;
  return true;
}
