/** A suffix and what stands in its place; `least` letters must be left before it. */
export type SuffixRule = readonly [suffix: string, by: string, least: number];

export type Stem = (word: string) => string;

/** Rules from a line such as "heiten heit keit:3" (suffixes to drop, at least 3 letters left) or "ies>y:2". */
export function suffixRules(...lines: readonly string[]): readonly SuffixRule[] {
  const rules = lines.flatMap((line) => {
    const [suffixes = '', least = '3'] = line.split(':');
    return suffixes.split(' ').map((entry): SuffixRule => {
      const [suffix = '', by = ''] = entry.split('>');
      return [suffix, by, Number(least)];
    });
  });
  return rules.sort((a, b) => b[0].length - a[0].length);
}

/** A stemmer that takes the longest suffix of each step that fits, step after step. */
export function createSuffixStemmer(...steps: readonly (readonly SuffixRule[])[]): Stem {
  const tables = steps.map((rules) => new SuffixStep(rules));
  // A function made for each word would be compiled again after each collection of garbage.
  return (word) => {
    let stem = word;
    for (const table of tables) stem = table.apply(stem);
    return stem;
  };
}

class SuffixStep {
  /** By the last letter, so that few are tried. */
  readonly #byLast = new Map<number, SuffixRule[]>();

  constructor(rules: readonly SuffixRule[]) {
    for (const rule of rules) {
      const last = rule[0].charCodeAt(rule[0].length - 1);
      const known = this.#byLast.get(last);
      if (known === undefined) this.#byLast.set(last, [rule]);
      else known.push(rule);
    }
  }

  apply(word: string): string {
    const rules = this.#byLast.get(word.charCodeAt(word.length - 1));
    if (rules === undefined) return word;
    for (const [suffix, by, least] of rules) {
      const left = word.length - suffix.length;
      if (left >= least && word.endsWith(suffix)) return word.slice(0, left) + by;
    }
    return word;
  }
}
