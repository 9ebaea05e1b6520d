/**
 * Shingles as the textbooks write them, for lists of words and of hash values at hand. Texts of a crawl are read by
 * `TextScan`, which makes no strings.
 */

/** Every run of `size` words, in order; a text of fewer words has none. */
export function shingles(words: readonly string[], size: number): string[] {
  const runs: string[] = [];
  for (let at = 0; at + size <= words.length; at++) runs.push(words.slice(at, at + size).join(' '));
  return runs;
}

/** The same, each once. */
export function distinctShingles(words: readonly string[], size: number): Set<string> {
  return new Set(shingles(words, size));
}

/** Share of what two sets have in common; two empty sets have nothing in common. */
export function jaccard<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const item of few) if (many.has(item)) shared++;
  return shared / (a.size + b.size - shared);
}
