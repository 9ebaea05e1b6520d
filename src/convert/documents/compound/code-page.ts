import { TextDecoder } from 'node:util';
import { CODE_PAGES, decodeCodePage } from '../../code-pages.ts';

/** Code pages of Windows and the Mac by their numbers. */
const ENCODINGS: ReadonlyMap<number, string> = new Map([
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [1200, 'utf-16le'],
  [1201, 'utf-16be'],
  [1361, 'euc-kr'],
  [10000, 'macintosh'],
  [10001, 'shift_jis'],
  [10002, 'big5'],
  [10003, 'euc-kr'],
  [10007, 'x-mac-cyrillic'],
  [10008, 'gbk'],
  [10029, 'x-mac-ce'],
  [20866, 'koi8-r'],
  [20932, 'euc-jp'],
  [21866, 'koi8-u'],
  [50220, 'iso-2022-jp'],
  [51932, 'euc-jp'],
  [51949, 'euc-kr'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
]);

/** Character sets of Windows fonts (`\fcharset`, LOGFONT) and the code pages they stand for. */
const CHARSETS: ReadonlyMap<number, number> = new Map([
  [0, 1252],
  [77, 10000],
  [78, 10001],
  [79, 10003],
  [80, 10008],
  [81, 10002],
  [89, 10007],
  [128, 932],
  [129, 949],
  [130, 1361],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
  [254, 437],
  [255, 850],
]);

/** The code page of a Windows character set; undefined for the default one and for symbols. */
export function codePageOfCharset(charset: number): number | undefined {
  return CHARSETS.get(charset);
}

/** Texts in the code pages of old documents. One object per conversion: it keeps the decoders it has made. */
export class CodePages {
  readonly #decoders = new Map<number, TextDecoder | string>();

  /** A code page nobody knows is read as windows-1252, of which all bytes mean something. */
  decode(bytes: Uint8Array, codePage: number): string {
    const decoder = this.#decoders.get(codePage) ?? this.#make(codePage);
    return typeof decoder === 'string' ? decodeCodePage(bytes, decoder) : decoder.decode(bytes);
  }

  #make(codePage: number): TextDecoder | string {
    const encoding = encodingOfCodePage(codePage);
    const made = CODE_PAGES.get(encoding) ?? new TextDecoder(encoding, { ignoreBOM: true });
    this.#decoders.set(codePage, made);
    return made;
  }
}

function encodingOfCodePage(codePage: number): string {
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  // 28600 and 28602 are Latin parts that were never used on the web; 28599 is a subset of windows-1254.
  if (codePage >= 28592 && codePage <= 28598) return `iso-8859-${codePage - 28590}`;
  if (codePage === 28599) return 'windows-1254';
  if (codePage === 28603 || codePage === 28605) return `iso-8859-${codePage - 28590}`;
  const dos = `ibm${codePage}`;
  return ENCODINGS.get(codePage) ?? (CODE_PAGES.has(dos) ? dos : 'windows-1252');
}
