import type { Discovered } from './unseen-urls.ts';

interface Point {
  readonly visited: number;
  readonly known: number;
}

/** Points that are kept; when there are more, every other one goes. */
const KEPT = 128;
/** New URLs per page are those of the last part of the crawl. */
const LAST_PART = 0.25;

/** How the number of known URLs grows with the visited ones, in little memory however long the crawl. */
export class FrontierGrowth {
  #points: Point[] = [];
  #step = 1;

  /** To be told now and then, with what was visited and known from the beginning of the crawl. */
  note(visited: number, known: number): void {
    const last = this.#points.at(-1);
    if (last !== undefined && visited < last.visited + this.#step) {
      // The newest count of a place is the right one: links of a page come in after it is counted.
      if (visited === last.visited) this.#points[this.#points.length - 1] = { visited, known };
      return;
    }
    this.#points.push({ visited, known });
    if (this.#points.length <= KEPT) return;
    this.#points = this.#points.filter((_, at) => at % 2 === 0);
    this.#step = Math.max(1, Math.ceil(((this.#points.at(-1)?.visited ?? 0) / KEPT) * 2));
  }

  /** Undefined before anything was visited. */
  at(visited: number, known: number): Discovered | undefined {
    if (visited <= 0) return undefined;
    const from = this.#points.findLast((point) => point.visited <= visited * (1 - LAST_PART)) ?? this.#points[0];
    const start = from === undefined || from.visited >= visited ? { visited: 0, known: 0 } : from;
    return { visited, known, perPage: Math.max(0, (known - start.known) / (visited - start.visited)) };
  }
}
