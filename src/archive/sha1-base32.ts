import { createHash } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** SHA-1 of the parts, one after another, in base32: how web archives write digests. */
export function sha1Base32(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  const digest = hash.digest();
  let text = '';
  // 20 bytes are 160 bits: 32 letters of 5 bits and no padding.
  for (let at = 0; at < 20; at += 5) {
    const high = digest.readUInt32BE(at);
    const low = digest[at + 4];
    text +=
      ALPHABET[high >>> 27] +
      ALPHABET[(high >>> 22) & 31] +
      ALPHABET[(high >>> 17) & 31] +
      ALPHABET[(high >>> 12) & 31] +
      ALPHABET[(high >>> 7) & 31] +
      ALPHABET[(high >>> 2) & 31] +
      ALPHABET[((high & 3) << 3) | (low >>> 5)] +
      ALPHABET[low & 31];
  }
  return text;
}
