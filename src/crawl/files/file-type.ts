import { mediaTypeOf } from '../../convert/media-type.ts';

/** Parts of pages elsewhere; in a folder they are what somebody has written. */
const SOURCE_TYPES: ReadonlySet<string> = new Set(['text/css', 'text/javascript', 'application/javascript']);
const UNKNOWN = 'application/octet-stream';
const TEXT = 'text/plain';

/** The media type of a file, by its first bytes and its name. Whatever is text counts as such: programs, notes, logs. */
export function fileTypeOf(start: Uint8Array, url: string): string {
  const { type, isText } = mediaTypeOf(undefined, start, url);
  if (SOURCE_TYPES.has(type)) return TEXT;
  if (type === UNKNOWN) return isCharacters(start) ? TEXT : UNKNOWN;
  // A name promises text, the bytes are none: "backup.txt" may be anything.
  return isText && !isCharacters(start) ? UNKNOWN : type;
}

/** UTF-8, or an encoding of bytes without control characters; UTF-16 with its mark. */
function isCharacters(bytes: Uint8Array): boolean {
  if (bytes.length >= 2 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)))
    return true;
  let odd = 0;
  for (const byte of bytes) {
    if (byte === 0) return false;
    // Tab, line feeds, form feed, escape are all that texts have of them.
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) odd++;
  }
  return odd * 100 <= bytes.length;
}
