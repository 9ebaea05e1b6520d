import { ideographCost } from './ideograph-cost.ts';

/** Bytes looked at. */
const SAMPLE = 2_048;
/** Text of an alphabet has a zero in every other byte; less than this share of them is no such text. */
const ZERO_SHARE = 0.6;
/** Bits for a character; what is read rightly takes less. */
const PLAUSIBLE = 11.5;

/**
 * UTF-16 without a byte order mark: zeros in every other byte, or control characters in what would be text, which make
 * sense in pairs. Undefined for anything else, in no time for text without control characters at its beginning.
 */
export function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, Math.min(SAMPLE, bytes.length & ~1));
  if (sample.length < 8 || !sample.some(isControl)) return undefined;
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at & 1]++;
  const pairs = sample.length / 2;
  if (zeros[1] > ZERO_SHARE * pairs && zeros[0] < pairs / 20) return 'utf-16le';
  if (zeros[0] > ZERO_SHARE * pairs && zeros[1] < pairs / 20) return 'utf-16be';
  const little = costOf(sample, 'utf-16le');
  const big = costOf(sample, 'utf-16be');
  if (Math.min(little, big) > PLAUSIBLE) return undefined;
  return little <= big ? 'utf-16le' : 'utf-16be';
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
