import type { QueryNode, ScorePart } from '../../contracts/search-index.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { PostingReader, PostingReaders } from './posting-reader.ts';
import { type QueryPlan, wantedWords } from './query-plan.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** Tells what the nearness of neighbouring query words adds to a document's score. */
export class Proximity {
  readonly #words: readonly { readonly weight: number; readonly terms: readonly string[] }[];
  readonly #ranking: RankingOptions;
  readonly #shared: PostingReaders;
  readonly #readers = new Map<SearchedSegment, readonly WordPositions[]>();

  constructor(query: QueryNode, plan: QueryPlan, ranking: RankingOptions, readers: PostingReaders) {
    this.#ranking = ranking;
    this.#shared = readers;
    this.#words = ranking.proximity > 0 ? wantedWords(query).map((node) => plan.leaf(node)) : [];
  }

  bonus(searched: SearchedSegment, document: number): number {
    return this.#sum(searched, document);
  }

  parts(searched: SearchedSegment, document: number): ScorePart[] {
    const parts: ScorePart[] = [];
    this.#sum(searched, document, (at, distance, value) => {
      const [before, here] = [this.#words[at - 1].terms.join('|'), this.#words[at].terms.join('|')];
      parts.push({ what: `${before} near ${here}, distance ${distance}`, value });
    });
    return parts;
  }

  /** What all neighbours add, each of them told to whoever asks. */
  #sum(
    searched: SearchedSegment,
    document: number,
    tell?: (word: number, distance: number, value: number) => void,
  ): number {
    let sum = 0;
    if (this.#words.length < 2) return sum;
    const readers = this.#readersOf(searched);
    let wasHeld = readers[0].seek(document);
    let before: Positions | undefined;
    for (let at = 1; at < this.#words.length; at++) {
      const isHeld = readers[at].seek(document);
      // Where a document lacks one of the two, as most do that are found by any word, nothing is unpacked.
      if (!wasHeld || !isHeld) {
        wasHeld = isHeld;
        before = undefined;
        continue;
      }
      before ??= readers[at - 1].read(document);
      const here = readers[at].read(document);
      const distance = this.#distance(searched, document, before, here);
      if (distance <= this.#ranking.proximityWindow) {
        const rarer = Math.min(this.#words[at - 1].weight, this.#words[at].weight);
        const value = (this.#ranking.proximity * rarer) / distance;
        sum += value;
        tell?.(at, distance, value);
      }
      before = here;
    }
    return sum;
  }

  /** Smallest step from a word to the next within a field; the wrong way round counts one more. */
  #distance({ segment }: SearchedSegment, document: number, a: Positions, b: Positions): number {
    const none = this.#ranking.proximityWindow + 1;
    let best = none;
    for (let inA = 0, inB = 0; inB < b.count; inB++) {
      const to = b.values[inB];
      while (inA < a.count && a.values[inA] < to) inA++;
      if (inA > 0) {
        const from = a.values[inA - 1];
        if (to - from < best && segment.fieldAt(document, from) === segment.fieldAt(document, to)) best = to - from;
      }
      // The same position is the same word, as the stem of another language, say.
      let after = inA;
      while (after < a.count && a.values[after] === to) after++;
      if (after === a.count) continue;
      const from = a.values[after];
      if (from - to + 1 < best && segment.fieldAt(document, from) === segment.fieldAt(document, to))
        best = from - to + 1;
    }
    return best;
  }

  #readersOf(searched: SearchedSegment): readonly WordPositions[] {
    let readers = this.#readers.get(searched);
    if (readers === undefined) {
      readers = this.#words.map(({ terms }) => new WordPositions(this.#shared.ofAll(searched, terms)));
      this.#readers.set(searched, readers);
    }
    return readers;
  }
}

/** Positions of a word in one document, ascending: the first `count` of `values`, until the next document is read. */
interface Positions {
  readonly values: Uint32Array;
  readonly count: number;
}

/** Reads where a word stands, whichever of its terms stands there. */
class WordPositions {
  readonly #readers: readonly PostingReader[];
  #values = new Uint32Array(0);

  constructor(readers: readonly PostingReader[]) {
    this.#readers = readers;
  }

  /** Whether the document holds the word. */
  seek(document: number): boolean {
    let isHeld = false;
    for (const reader of this.#readers) if (reader.seek(document) === document) isHeld = true;
    return isHeld;
  }

  read(document: number): Positions {
    const readers = this.#readers;
    if (readers.length === 1) {
      const count = readers[0].seek(document) === document ? readers[0].readPositions() : 0;
      return { values: readers[0].positions, count };
    }
    let count = 0;
    let terms = 0;
    for (const reader of readers) {
      if (reader.seek(document) !== document) continue;
      const more = reader.readPositions();
      if (count + more > this.#values.length) {
        const larger = new Uint32Array(2 * (count + more));
        larger.set(this.#values);
        this.#values = larger;
      }
      for (let at = 0; at < more; at++) this.#values[count + at] = reader.positions[at];
      count += more;
      terms++;
    }
    if (terms > 1) this.#values.subarray(0, count).sort();
    return { values: this.#values, count };
  }
}
