/** Documents whose scores are added up together. */
export const WINDOW = 4096;

/** Sums of scores, and how many words each is of; all zero while nobody works with them. */
export interface ScoreWindow {
  readonly sums: Float64Array;
  readonly matches: Uint16Array;
}

/** Memory for windows of documents, kept from search to search: to get it anew for every segment takes longer than many a search in it. */
export class WindowBuffers {
  /** A word of several terms adds them up in a window of its own, within that of the search. */
  readonly #free: ScoreWindow[] = [];

  /** Lends a window. Who is done sets all to zero and gives it back; after a fault it is not given back. */
  take(): ScoreWindow {
    return this.#free.pop() ?? { sums: new Float64Array(WINDOW), matches: new Uint16Array(WINDOW) };
  }

  giveBack(window: ScoreWindow): void {
    this.#free.push(window);
  }
}
