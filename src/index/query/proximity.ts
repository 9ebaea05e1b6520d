import type { QueryNode, ScorePart } from '../../contracts/search-index.ts';
import type { RankingOptions } from '../ranking-options.ts';
import { PostingReader } from './posting-reader.ts';
import { type QueryPlan, wantedWords } from './query-plan.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** Tells what the nearness of neighbouring query words adds to a document's score. */
export class Proximity {
  readonly #words: readonly { readonly weight: number; readonly terms: readonly string[] }[];
  readonly #ranking: RankingOptions;
  readonly #readers = new Map<SearchedSegment, PostingReader[][]>();

  constructor(query: QueryNode, plan: QueryPlan, ranking: RankingOptions) {
    this.#ranking = ranking;
    this.#words = ranking.proximity > 0 ? wantedWords(query).map((node) => plan.leaf(node)) : [];
  }

  bonus(searched: SearchedSegment, document: number): number {
    let sum = 0;
    this.#eachNear(searched, document, (_, __, value) => {
      sum += value;
    });
    return sum;
  }

  parts(searched: SearchedSegment, document: number): ScorePart[] {
    const parts: ScorePart[] = [];
    this.#eachNear(searched, document, (at, distance, value) => {
      const [before, here] = [this.#words[at - 1].terms.join('|'), this.#words[at].terms.join('|')];
      parts.push({ what: `${before} near ${here}, distance ${distance}`, value });
    });
    return parts;
  }

  #eachNear(
    searched: SearchedSegment,
    document: number,
    tell: (word: number, distance: number, value: number) => void,
  ): void {
    if (this.#words.length < 2) return;
    const readers = this.#readersOf(searched);
    let before: readonly number[] = positionsOf(readers[0], document);
    for (let at = 1; at < this.#words.length; at++) {
      const here = positionsOf(readers[at], document);
      const distance = this.#distance(searched, document, before, here);
      if (distance <= this.#ranking.proximityWindow) {
        const rarer = Math.min(this.#words[at - 1].weight, this.#words[at].weight);
        tell(at, distance, (this.#ranking.proximity * rarer) / distance);
      }
      before = here;
    }
  }

  /** Smallest step from a word to the next within a field; the wrong way round counts one more. */
  #distance(searched: SearchedSegment, document: number, a: readonly number[], b: readonly number[]): number {
    let best = this.#ranking.proximityWindow + 1;
    const { segment } = searched;
    const consider = (from: number | undefined, to: number): void => {
      if (from === undefined) return;
      const distance = from < to ? to - from : from - to + 1;
      if (distance < best && segment.fieldAt(document, from) === segment.fieldAt(document, to)) best = distance;
    };
    let i = 0;
    for (const to of b) {
      while (i < a.length && a[i] < to) i++;
      consider(a[i - 1], to);
      // The same position is the same word, as the stem of another language, say.
      let after = i;
      while (a[after] === to) after++;
      consider(a[after], to);
    }
    return best;
  }

  #readersOf(searched: SearchedSegment): PostingReader[][] {
    let readers = this.#readers.get(searched);
    if (readers === undefined) {
      readers = this.#words.map(({ terms }) =>
        terms.flatMap((term) => {
          const postings = searched.segment.postings(term);
          return postings === undefined ? [] : [new PostingReader(postings)];
        }),
      );
      this.#readers.set(searched, readers);
    }
    return readers;
  }
}

function positionsOf(readers: readonly PostingReader[], document: number): number[] {
  const positions: number[] = [];
  for (const reader of readers) {
    if (reader.seek(document) !== document) continue;
    const count = reader.readPositions();
    for (let at = 0; at < count; at++) positions.push(reader.positions[at]);
  }
  return readers.length > 1 ? positions.sort((a, b) => a - b) : positions;
}
