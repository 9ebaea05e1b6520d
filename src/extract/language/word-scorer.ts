/** Adds to `sums` (one per language) what the grams of words say, as `scriptWords` wrote them, and answers how many were known. */
export interface WordScorer {
  score(letters: Uint16Array, length: number, sums: Int32Array): number;
}
