import { SHINGLE_WORDS } from './sketch-method.ts';
import { TextScan } from './text-scan.ts';

/** Words that the edit distance looks at: it takes a step for each pair of them. */
const MOST_EDITED = 4000;
const MOST_WORDS = 1 << 18;
/** Shorter segments, such as headings and names, are in many texts. */
const SHORTEST_SEGMENT = 4;
const SEGMENT_END = /\n+|(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])/u;
const WORD = /[\p{L}\p{N}]+/gu;

/** In what two texts agree, each by a measure of its own. */
export interface TextEvidence {
  /** Exact: the share of distinct shingles that both have. */
  readonly jaccard: number;
  /** 1 - (words to be inserted, deleted or replaced) / (words of the longer text). Of long texts, for their beginnings. */
  readonly editSimilarity: number;
  /** Distinct sentences and lines that both have, and how many each has. */
  readonly segments: { readonly shared: number; readonly ofFirst: number; readonly ofSecond: number };
}

/** A text in the forms by which it is compared with others. */
export class ComparedText {
  readonly words: number;
  readonly #shingles: ReadonlySet<bigint>;
  readonly #edited: Int32Array;
  readonly #segments: ReadonlySet<string>;

  constructor(text: string, shingle = SHINGLE_WORDS) {
    const scan = new TextScan(MOST_WORDS, shingle);
    scan.read(text);
    this.words = scan.words;
    this.#edited = scan.wordLow.slice(0, Math.min(scan.words, MOST_EDITED));
    this.#shingles = shinglesOf(scan);
    this.#segments = segmentsOf(text);
  }

  get shingles(): number {
    return this.#shingles.size;
  }

  compare(other: ComparedText): TextEvidence {
    const shared = sharedBy(this.#shingles, other.#shingles);
    const union = this.#shingles.size + other.#shingles.size - shared;
    return {
      jaccard: union === 0 ? 0 : shared / union,
      editSimilarity: editSimilarity(this.#edited, other.#edited),
      segments: {
        shared: sharedBy(this.#segments, other.#segments),
        ofFirst: this.#segments.size,
        ofSecond: other.#segments.size,
      },
    };
  }
}

function shinglesOf({ shingles, shingleLow, shingleHigh }: TextScan): Set<bigint> {
  const found = new Set<bigint>();
  for (let at = 0; at < shingles; at++) {
    found.add((BigInt(shingleHigh[at] >>> 0) << 32n) | BigInt(shingleLow[at] >>> 0));
  }
  return found;
}

function segmentsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const segment of text.split(SEGMENT_END)) {
    const words = segment.toLowerCase().match(WORD) ?? [];
    const length = words.reduce((sum, word) => sum + word.length, 0);
    // Scripts without spaces have one word where others have many.
    if (words.length >= SHORTEST_SEGMENT || length >= 4 * SHORTEST_SEGMENT) found.add(words.join(' '));
  }
  return found;
}

function sharedBy<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  let shared = 0;
  for (const value of a) if (b.has(value)) shared++;
  return shared;
}

/** By the distance of Levenshtein over words. What both begin and end with costs one step a word. */
function editSimilarity(a: Int32Array, b: Int32Array): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const from = a.subarray(start, a.length - end);
  const to = b.subarray(start, b.length - end);
  return 1 - editDistance(from, to) / longer;
}

function editDistance(a: Int32Array, b: Int32Array): number {
  let row = Int32Array.from({ length: b.length + 1 }, (_, at) => at);
  let next = new Int32Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    next[0] = i + 1;
    for (let j = 0; j < b.length; j++) {
      const replaced = row[j] + (a[i] === b[j] ? 0 : 1);
      next[j + 1] = Math.min(replaced, row[j + 1] + 1, next[j] + 1);
    }
    [row, next] = [next, row];
  }
  return row[b.length];
}
