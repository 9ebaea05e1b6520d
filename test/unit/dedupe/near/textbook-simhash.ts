/** A feature of a text: its hash value, of which the low `bits` count, and its weight. */
export interface Feature {
  readonly hash: bigint;
  readonly weight: number;
}

/**
 * The sums behind a simhash, most significant bit first: a feature adds its weight where its hash has a 1, and
 * subtracts it where it has a 0.
 */
export function simhashVector(features: Iterable<Feature>, bits = 64): number[] {
  const vector: number[] = new Array(bits).fill(0);
  for (const { hash, weight } of features) {
    for (let i = 0; i < bits; i++) vector[i] += ((hash >> BigInt(bits - 1 - i)) & 1n) === 1n ? weight : -weight;
  }
  return vector;
}

/** A bit is 1 where the sum is positive. */
export function simhashBits(vector: readonly number[]): bigint {
  return vector.reduce((bits, sum) => (bits << 1n) | (sum > 0 ? 1n : 0n), 0n);
}

export function simhash(features: Iterable<Feature>, bits = 64): bigint {
  return simhashBits(simhashVector(features, bits));
}
