import { ideographCost } from './ideograph-cost.ts';

/** Bytes looked at. */
const SAMPLE = 2_048;
/** Text of an alphabet has a zero in every other byte; less than this share of them is no such text. */
const ZERO_SHARE = 0.6;
/** The first bytes of letters of all alphabets, of marks and blanks, lie below this; those of ideographs above. */
const FIRST_IDEOGRAPHS = 0x21;
/** Of the first bytes of an alphabet's letters, and most of the second ones. */
const SMALL_SHARE = 0.95;
const SMALL_MOST = 0.6;
/** Bits for a character; what is read rightly takes less. */
const PLAUSIBLE = 11.5;

export type WideEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/**
 * UTF-16 and UTF-32 without a byte order mark: zeros in every other byte, or control characters in what would be text,
 * which make sense in pairs or fours. Undefined for anything else, in no time for text without control characters at its
 * beginning.
 */
export function wideEncoding(bytes: Uint8Array): WideEncoding | undefined {
  const sample = bytes.subarray(0, Math.min(SAMPLE, bytes.length & ~1));
  if (sample.length < 8 || !sample.some(isControl)) return undefined;
  if (isUtf32(sample, true)) return 'utf-32le';
  if (isUtf32(sample, false)) return 'utf-32be';
  const zeros = [0, 0];
  const small = [0, 0];
  for (let at = 0; at < sample.length; at++) {
    if (sample[at] === 0) zeros[at & 1]++;
    if (sample[at] < FIRST_IDEOGRAPHS) small[at & 1]++;
  }
  const pairs = sample.length / 2;
  if (zeros[1] > ZERO_SHARE * pairs && zeros[0] < pairs / 20) return 'utf-16le';
  if (zeros[0] > ZERO_SHARE * pairs && zeros[1] < pairs / 20) return 'utf-16be';
  if (small[1] > SMALL_SHARE * pairs && small[0] < SMALL_MOST * pairs) return 'utf-16le';
  if (small[0] > SMALL_SHARE * pairs && small[1] < SMALL_MOST * pairs) return 'utf-16be';
  const little = costOf(sample, 'utf-16le');
  const big = costOf(sample, 'utf-16be');
  if (Math.min(little, big) > PLAUSIBLE) return undefined;
  return little <= big ? 'utf-16le' : 'utf-16be';
}

/** Where not one number of four bytes is beyond Unicode or a control character. UTF-16 is never that. */
function isUtf32(sample: Uint8Array, littleEndian: boolean): boolean {
  const view = new DataView(sample.buffer, sample.byteOffset, sample.length);
  for (let at = 0; at + 4 <= sample.length; at += 4) {
    const code = view.getUint32(at, littleEndian);
    if (code > 0x10_ffff || isControl(code)) return false;
  }
  return true;
}

function costOf(sample: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(sample);
  let wide = 0;
  let odd = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) wide++;
    else if (isControl(unit)) odd++;
  }
  if (wide === 0 || odd > 0) return Infinity;
  const costs = ['zh-hans', 'zh-hant', 'ja', 'ko'].map((language) => ideographCost(text, language, Infinity));
  return Math.min(...costs) / wide;
}

/** A control character that no text holds. */
function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x1b) || byte === 0x0b;
}
