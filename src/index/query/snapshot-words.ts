import type { SearchedSegment } from './searched-segment.ts';

export const WORD_FACTS = ['host', 'mediaType', 'language'] as const;
export type WordFact = (typeof WORD_FACTS)[number];

/** The values of a fact over all segments. */
export interface NumberedWords {
  readonly words: readonly string[];
  /** For each segment: the place among `words` of each of its own. */
  readonly places: readonly Uint32Array[];
}

/** Numbers the hosts, media types and languages of a snapshot, so that counting over its segments compares no texts. */
export class SnapshotWords {
  readonly #segments: readonly SearchedSegment[];
  readonly #known = new Map<WordFact, NumberedWords>();

  constructor(segments: readonly SearchedSegment[]) {
    this.#segments = segments;
  }

  of(name: WordFact): NumberedWords {
    let numbered = this.#known.get(name);
    if (numbered === undefined) {
      numbered = this.#number(name);
      this.#known.set(name, numbered);
    }
    return numbered;
  }

  #number(name: WordFact): NumberedWords {
    const numbers = new Map<string, number>();
    const places = this.#segments.map(({ segment }) =>
      Uint32Array.from(segment.columns.words(name), (word) => {
        const number = numbers.get(word) ?? numbers.size;
        numbers.set(word, number);
        return number;
      }),
    );
    return { words: [...numbers.keys()], places };
  }
}
