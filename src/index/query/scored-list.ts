import { BLOCK } from '../format/posting-writer.ts';

/** Documents of a segment in ascending order, each with its score: what a phrase, a prefix or a nested query comes to. */
export interface ScoredList {
  readonly documents: Uint32Array;
  readonly scores: Float64Array;
}

/** Gathers a scored list. */
export class ScoredListBuilder {
  #documents = new Uint32Array(64);
  #scores = new Float64Array(64);
  length = 0;

  add(document: number, score: number): void {
    if (this.length === this.#documents.length) {
      const documents = new Uint32Array(this.length * 2);
      documents.set(this.#documents);
      this.#documents = documents;
      const scores = new Float64Array(this.length * 2);
      scores.set(this.#scores);
      this.#scores = scores;
    }
    this.#documents[this.length] = document;
    this.#scores[this.length++] = score;
  }

  list(): ScoredList {
    return { documents: this.#documents.subarray(0, this.length), scores: this.#scores.subarray(0, this.length) };
  }
}

/** The best score of each block of a list. */
export function blockMaxima(list: ScoredList): Float64Array {
  const maxima = new Float64Array(Math.ceil(list.documents.length / BLOCK));
  for (let at = 0; at < list.scores.length; at++) {
    const block = Math.floor(at / BLOCK);
    if (list.scores[at] > maxima[block]) maxima[block] = list.scores[at];
  }
  return maxima;
}
