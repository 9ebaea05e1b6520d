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
