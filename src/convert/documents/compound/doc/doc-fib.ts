import type { ByteReader } from '../byte-reader.ts';

/** A part of a stream. */
export interface DocPlace {
  readonly at: number;
  readonly length: number;
}

/** The file information block at the start of a Word document: where everything else is. */
export interface DocFib {
  readonly isEncrypted: boolean;
  /** Word 6 and 95: one byte per character, properties in an older form that is not read. */
  readonly isOld: boolean;
  readonly tableStream: '0Table' | '1Table';
  readonly codePage: number;
  /** Text that is not in pieces starts here. */
  readonly textStart: number;
  /** Characters of the body, footnotes, headers, macros, comments, endnotes, text boxes, text boxes in headers. */
  readonly storyLengths: readonly number[];
  readonly pieces: DocPlace;
  readonly styles: DocPlace;
  readonly characterPages: DocPlace;
  readonly paragraphPages: DocPlace;
  readonly lists: DocPlace;
  readonly listOverrides: DocPlace;
}

const STORIES = 8;
const FIRST_UNICODE_VERSION = 0xc1;
const OLDEST_VERSION = 0x65;
const NOWHERE: DocPlace = { at: 0, length: 0 };

/** Undefined where the stream is no Word document that can be read. */
export function readFib(reader: ByteReader): DocFib | undefined {
  const magic = reader.u16(0);
  const version = reader.u16(2);
  if ((magic !== 0xa5ec && magic !== 0xa5dc) || version < OLDEST_VERSION) return undefined;
  const isOld = version < FIRST_UNICODE_VERSION;
  const flags = reader.u16(10);
  const place = (at: number): DocPlace => ({ at: reader.u32(at), length: reader.u32(at + 4) });
  const lengths = isOld ? 0x34 : 0x4c;
  return {
    isEncrypted: (flags & 0x0100) !== 0,
    isOld,
    tableStream: (flags & 0x0200) === 0 ? '0Table' : '1Table',
    codePage: isOld ? codePageOfLanguage(reader.u16(6)) : 1252,
    textStart: reader.u32(0x18),
    storyLengths: Array.from({ length: STORIES }, (_, i) => Math.max(0, reader.i32(lengths + i * 4))),
    // An old document has pieces only where it was saved in haste.
    pieces: isOld ? ((flags & 0x0004) === 0 ? NOWHERE : place(0x160)) : place(0x1a2),
    styles: isOld ? NOWHERE : place(0xa2),
    characterPages: isOld ? NOWHERE : place(0xfa),
    paragraphPages: isOld ? NOWHERE : place(0x102),
    lists: isOld ? NOWHERE : place(0x2e2),
    listOverrides: isOld ? NOWHERE : place(0x2ea),
  };
}

/** Before Unicode the language of the installation told the code page. */
function codePageOfLanguage(language: number): number {
  switch (language & 0x3ff) {
    case 0x01: // Arabic
      return 1256;
    case 0x02: // Bulgarian
    case 0x19: // Russian
    case 0x22: // Ukrainian
    case 0x23: // Belarusian
      return 1251;
    case 0x04: // Chinese
      return language === 0x0404 || language === 0x0c04 ? 950 : 936;
    case 0x05: // Czech
    case 0x0e: // Hungarian
    case 0x15: // Polish
    case 0x18: // Romanian
    case 0x1a: // Croatian
    case 0x1b: // Slovak
    case 0x24: // Slovenian
      return 1250;
    case 0x08: // Greek
      return 1253;
    case 0x0d: // Hebrew
      return 1255;
    case 0x11: // Japanese
      return 932;
    case 0x12: // Korean
      return 949;
    case 0x1e: // Thai
      return 874;
    case 0x1f: // Turkish
      return 1254;
    case 0x25: // Estonian
    case 0x26: // Latvian
    case 0x27: // Lithuanian
      return 1257;
    default:
      return 1252;
  }
}
