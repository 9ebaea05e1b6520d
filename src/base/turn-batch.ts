/** How many go together at most, and for how long the first of them waits while others come. */
const MOST = 8;
const LONGEST_MS = 16;

/**
 * Gathers what turns of the event loop bring, and hands it on together: as soon as a turn brings nothing more, which is at once where the
 * thread has nothing else to do. To wake up another thread costs as much as a tenth of a page; a thread that is busy brings a
 * page in each turn.
 */
export class TurnBatch<Item> {
  readonly #hand: (items: readonly Item[]) => void;
  #items: Item[] = [];
  /** How many there were at the end of the turn before. */
  #before = 0;
  #since = 0;

  constructor(hand: (items: readonly Item[]) => void) {
    this.#hand = hand;
  }

  add(item: Item): void {
    if (this.#items.push(item) > 1) return;
    this.#before = 0;
    this.#since = performance.now();
    this.#look();
  }

  /** Hands on what there is. */
  flush(): void {
    const items = this.#items;
    if (items.length === 0) return;
    this.#items = [];
    this.#hand(items);
  }

  #look(): void {
    const batch = this.#items;
    setImmediate(() => {
      // It was handed on meanwhile: those that came since have a look of their own.
      if (batch !== this.#items) return;
      const { length } = batch;
      const isQuiet = length === this.#before;
      this.#before = length;
      if (isQuiet || length >= MOST || performance.now() - this.#since >= LONGEST_MS) this.flush();
      else this.#look();
    });
  }
}
