import { hash } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Ten bits at a time. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET[bits >> 5] + ALPHABET[bits & 31]);

/** SHA-1 in base32: how web archives write digests. */
export function sha1Base32(bytes: Uint8Array): string {
  // A string of one character per byte comes over from the library faster than a buffer.
  const digest = hash('sha1', bytes, 'binary');
  let text = '';
  // 20 bytes are 160 bits: 16 pairs of letters and no padding.
  for (let at = 0; at < 20; at += 5) {
    const first = (digest.charCodeAt(at) << 8) | digest.charCodeAt(at + 1);
    const second = (digest.charCodeAt(at + 2) << 8) | digest.charCodeAt(at + 3);
    const third = digest.charCodeAt(at + 4);
    text +=
      PAIRS[first >> 6] +
      PAIRS[((first & 63) << 4) | (second >> 12)] +
      PAIRS[(second >> 2) & 1023] +
      PAIRS[((second & 3) << 8) | third];
  }
  return text;
}
