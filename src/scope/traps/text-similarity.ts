import { fingerprint } from '../../base/fingerprint.ts';

/** Texts of one form whose words were swapped here and there; those of two texts differ in about 32. */
const ALIKE_BITS = 12;

/** By simhash: whether two texts are alike. Where there is no text on either side nothing speaks against it. */
export function textsAlike(a: bigint | undefined, b: bigint | undefined): boolean {
  if (a === undefined || b === undefined || a === 0n || b === 0n) return true;
  const different = BigInt.asUintN(64, a ^ b);
  return bitCount(Number(different & 0xffffffffn)) + bitCount(Number(different >> 32n)) <= ALIKE_BITS;
}

function bitCount(word: number): number {
  let count = 0;
  for (let bits = word | 0; bits !== 0; bits &= bits - 1) count++;
  return count;
}

/** A simhash of the words of a short text, without numbers: the same form with another date is equal. 0: no words. */
export function shortTextHash(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const sums = new Int32Array(64);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const hash = fingerprint(word);
    const halves = [Number(hash & 0xffffffffn), Number(hash >> 32n)];
    for (let bit = 0; bit < 64; bit++) sums[bit] += ((halves[bit >> 5] >>> (bit & 31)) & 1) === 1 ? 1 : -1;
  }
  let bits = 0n;
  for (let bit = 63; bit >= 0; bit--) bits = (bits << 1n) | (sums[bit] > 0 ? 1n : 0n);
  return bits;
}
