import { Utf32Decoder } from '../base/utf32-decoder.ts';
import { CODE_PAGES, decodeCodePage } from './code-pages.ts';

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;

/** The text of bytes in an encoding other than UTF-8; what means nothing becomes U+FFFD, a byte order mark is left out. */
export function decodeLegacy(bytes: Uint8Array, encoding: string): string {
  // The standard's decoder for encodings that must not be read.
  if (encoding === 'replacement') return bytes.length === 0 ? '' : '\ufffd';
  const codePage = CODE_PAGES.get(encoding);
  if (codePage !== undefined) return decodeCodePage(bytes, codePage);
  if (encoding === 'utf-32le' || encoding === 'utf-32be')
    return new Utf32Decoder(encoding === 'utf-32le').decode(bytes);
  if (encoding === 'iso-2022-kr') return new TextDecoder('euc-kr').decode(shiftedToHigh(bytes));
  return new TextDecoder(encoding).decode(bytes);
}

/** ISO-2022-KR writes between two shifts, in seven bits, what EUC-KR writes with the eighth bit set. */
function shiftedToHigh(bytes: Uint8Array): Uint8Array {
  const high = new Uint8Array(bytes.length);
  let length = 0;
  let shifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === SHIFT_OUT) shifted = true;
    else if (byte === SHIFT_IN) shifted = false;
    // The announcement ESC $ ) C.
    else if (byte === 0x1b && bytes[at + 1] === 0x24 && bytes[at + 2] === 0x29) at += 3;
    else {
      // A line ends every shift.
      if (byte === 0x0a) shifted = false;
      high[length++] = shifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte;
    }
  }
  return high.subarray(0, length);
}
