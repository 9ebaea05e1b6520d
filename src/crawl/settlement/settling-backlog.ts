import { type FinishedWork, linksOf, type PageWork } from '../visit/page-work.ts';

/** Links that are judged and settled in one go; a page with more makes a batch of its own. About a tenth of a second of work. */
const BATCH_LINKS = 5000;
/** Settling a visit costs as much as judging so many links. */
const VISIT_LINKS = 10;
/** With so many links waiting, nothing more is claimed. They are held in memory. */
const MAX_LINKS = 200_000;

/**
 * Finished work that is not settled yet, in the order of its arrival. Batches are bounded by their links, so that limits and
 * signals are looked at in between, however many links the pages hold.
 */
export class SettlingBacklog {
  readonly #works: FinishedWork[] = [];
  #links = 0;

  get length(): number {
    return this.#works.length;
  }

  /** The workers are ahead of the settlements. */
  get isFull(): boolean {
    return this.#links >= MAX_LINKS;
  }

  add(works: readonly FinishedWork[]): void {
    for (const finished of works) {
      this.#works.push(finished);
      this.#links += linkCount(finished.work);
    }
  }

  /** Removes and returns the next works to settle together. */
  takeBatch(): FinishedWork[] {
    let links = 0;
    let count = 0;
    while (count < this.#works.length && links + count * VISIT_LINKS < BATCH_LINKS)
      links += linkCount(this.#works[count++].work);
    this.#links -= links;
    return this.#works.splice(0, count);
  }

  /** Removes and returns everything. */
  takeAll(): FinishedWork[] {
    this.#links = 0;
    return this.#works.splice(0);
  }
}

function linkCount(work: PageWork): number {
  return linksOf(work)?.fingerprints.length ?? 0;
}
