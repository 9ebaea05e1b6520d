import type { ByteReader } from '../byte-reader.ts';

const HAS_ADDRESS = 0x01;
const HAS_PLACE = 0x08;
const HAS_TEXT = 0x10;
const HAS_FRAME = 0x80;
const ADDRESS_IS_TEXT = 0x100;
const MAX_UNITS = 4_096;
/** First numbers of the class identifiers of an address and of a file. */
const URL_CLASS = 0x79eac9e0;
const FILE_CLASS = 0x00000303;

/** The address and the text of a hyperlink object at `at`; undefined where it leads nowhere outside. */
export function readHyperlink(reader: ByteReader, start: number): { url: string; text: string } | undefined {
  let at = start;
  const text = (): string => {
    const units = reader.u32(at);
    const found = reader.utf16(at + 4, Math.min(units, MAX_UNITS));
    at += 4 + units * 2;
    return untilZero(found);
  };
  const flags = reader.u32(at + 4);
  at += 8;
  const shown = (flags & HAS_TEXT) === 0 ? '' : text();
  if ((flags & HAS_FRAME) !== 0) text();
  let url = '';
  if ((flags & HAS_ADDRESS) !== 0) {
    const kind = reader.u32(at);
    if ((flags & ADDRESS_IS_TEXT) !== 0) url = text();
    else if (kind === URL_CLASS) {
      const bytes = reader.u32(at + 16);
      url = untilZero(reader.utf16(at + 20, Math.min(bytes / 2, MAX_UNITS)));
      at += 20 + bytes;
    } else if (kind === FILE_CLASS) {
      const length = reader.u32(at + 18);
      url = untilZero(String.fromCharCode(...reader.bytes(at + 22, Math.min(length, MAX_UNITS)))).replaceAll('\\', '/');
      // The long name of the file and the place within it are left alone.
      return url === '' ? undefined : { url, text: shown };
    }
  }
  if (url === '') return undefined;
  const place = (flags & HAS_PLACE) === 0 ? '' : text();
  return { url: place === '' || url.includes('#') ? url : `${url}#${place}`, text: shown };
}

function untilZero(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}
