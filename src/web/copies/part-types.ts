import { mediaTypeOf } from '../../convert/media-type.ts';
import type { WebCopy } from '../web-reader.ts';

/** First bytes of pictures that browsers draw without running anything. SVG is not among them. */
const PICTURES: readonly (readonly [string, (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (bytes) => startsWith(bytes, 0, '\xff\xd8\xff')],
  ['image/gif', (bytes) => startsWith(bytes, 0, 'GIF8')],
  ['image/webp', (bytes) => startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')],
  ['image/avif', (bytes) => startsWith(bytes, 4, 'ftypavi')],
];

const FONTS: readonly (readonly [string, string])[] = [
  ['font/woff2', 'wOF2'],
  ['font/woff', 'wOFF'],
  ['font/otf', 'OTTO'],
  ['font/ttf', '\0\x01\0\0'],
  ['font/ttf', 'true'],
];

/** The type of a picture by its bytes; undefined for what is none. */
export function bitmapType(bytes: Uint8Array): string | undefined {
  return PICTURES.find(([, looksLike]) => looksLike(bytes))?.[0];
}

/** The same, and SVG: for use where a document shows it as a picture, in which it runs nothing and loads nothing. */
export function pictureType(copy: WebCopy): string | undefined {
  const { body, contentType, url } = copy;
  return (
    bitmapType(body) ?? (mediaTypeOf(contentType, body, url).type === 'image/svg+xml' ? 'image/svg+xml' : undefined)
  );
}

/** The type of a font by its bytes. */
export function fontType({ body }: WebCopy): string | undefined {
  return FONTS.find(([, signature]) => startsWith(body, 0, signature))?.[0];
}

function startsWith(bytes: Uint8Array, offset: number, signature: string): boolean {
  if (bytes.length < offset + signature.length) return false;
  for (let at = 0; at < signature.length; at++) if (bytes[offset + at] !== signature.charCodeAt(at)) return false;
  return true;
}
