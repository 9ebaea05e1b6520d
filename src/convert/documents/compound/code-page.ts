import { TextDecoder } from 'node:util';

/** Code pages of Windows and the Mac by their numbers, where the platform's decoder knows them. */
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
  [20866, 'koi8-r'],
  [20932, 'euc-jp'],
  [21866, 'koi8-u'],
  [50220, 'iso-2022-jp'],
  [51932, 'euc-jp'],
  [51949, 'euc-kr'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
]);

/** The upper halves of those it does not know. */
const UPPER_HALVES: ReadonlyMap<number, string> = new Map([
  [
    437,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ],
  [
    850,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
  [
    852,
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  ],
  [
    10029,
    'ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅņŃ¬√ńŇ∆«»…\u00a0ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ',
  ],
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
    if (typeof decoder !== 'string') return decoder.decode(bytes);
    let text = '';
    for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : decoder[byte - 0x80];
    return text;
  }

  #make(codePage: number): TextDecoder | string {
    const made = UPPER_HALVES.get(codePage) ?? new TextDecoder(encodingOfCodePage(codePage), { ignoreBOM: true });
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
  return ENCODINGS.get(codePage) ?? 'windows-1252';
}
