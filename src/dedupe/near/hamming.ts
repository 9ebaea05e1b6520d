/** Bits set in a 32-bit word. */
export function bitCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Bits in which two 64-bit fingerprints differ. */
export function hammingDistance(a: bigint, b: bigint): number {
  const difference = BigInt.asUintN(64, a ^ b);
  return bitCount(Number(difference & 0xffffffffn)) + bitCount(Number(difference >> 32n));
}
