import type { SearchRequest } from '../../contracts/search-service.ts';

const MOST_ANSWERS = 256;
/** A page of ten hits takes some 8,000; one of a hundred with long passages ten times that. */
const MOST_CHARACTERS = 4_000_000;

/**
 * The answers given last from one state of the index: the way back from a result, and what many ask for at once. Kept as
 * JSON: most are never asked for again, and one text is less to keep than many small objects.
 */
export class AnswerCache {
  readonly #version: () => number;
  readonly #answers = new Map<string, string>();
  #characters = 0;
  #of = 0;

  /** `version`: another number than before where something was committed to the index since. */
  constructor(version: () => number) {
    this.#version = version;
  }

  get(request: SearchRequest): string | undefined {
    const version = this.#version();
    if (version !== this.#of) this.#clear();
    this.#of = version;
    const key = keyOf(request);
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    // The youngest stands last.
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  /** An answer may come from a newer state than `get` saw; the next `get` sees that state too and forgets the older ones. */
  set(request: SearchRequest, answer: string): void {
    const asked = keyOf(request);
    this.#characters += answer.length - (this.#answers.get(asked)?.length ?? 0);
    this.#answers.set(asked, answer);
    for (const [key, oldest] of this.#answers) {
      if (this.#answers.size <= MOST_ANSWERS && this.#characters <= MOST_CHARACTERS) return;
      this.#answers.delete(key);
      this.#characters -= oldest.length;
    }
  }

  #clear(): void {
    this.#answers.clear();
    this.#characters = 0;
  }
}

function keyOf({ query, page, perPage, unfolded, facets, exactWords }: SearchRequest): string {
  return JSON.stringify([query, page, perPage, unfolded === true, facets === true, exactWords === true]);
}
