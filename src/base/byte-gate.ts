/** Admits callers while together they hold at most this many bytes, first come, first served; a larger one alone. */
export class ByteGate {
  readonly #max: number;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get held(): number {
    return this.#held;
  }

  /** Each `enter` is followed by a `leave` of the same number of bytes, once it has resolved. */
  enter(bytes: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ bytes, enter: resolve });
      this.#letIn();
    });
  }

  leave(bytes: number): void {
    this.#held -= bytes;
    this.#letIn();
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#held > 0 && this.#held + next.bytes > this.#max) return;
      this.#waiting.shift();
      this.#held += next.bytes;
      next.enter();
    }
  }
}
