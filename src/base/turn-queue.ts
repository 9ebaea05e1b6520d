/**
 * Lets pieces of work that keep the thread busy go one by one, a slice of time per turn of the event loop. Answers that
 * arrive together would otherwise be read in one go, and whoever waits for the first of them would wait for all.
 */
export class TurnQueue {
  readonly #sliceMs: number;
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** `sliceMs` 0: one piece per turn. */
  constructor(sliceMs: number) {
    this.#sliceMs = sliceMs;
  }

  /** Resolves when it is the caller's turn. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // The turn after the next: what answers that are in by now have begun, the next requests above all, goes out first.
    setImmediate(() => setImmediate(() => void this.#run()));
  }

  async #run(): Promise<void> {
    const end = performance.now() + this.#sliceMs;
    do {
      this.#waiting.shift()?.();
      // Whoever was called works until it waits for something; then the time is looked at.
      await undefined;
    } while (this.#waiting.length > 0 && performance.now() < end);
    this.#scheduled = false;
    if (this.#waiting.length > 0) this.#schedule();
  }
}
