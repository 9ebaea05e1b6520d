/** Memory that a worker and its watchdog share: what is being parsed right now outlives a worker that hangs or dies. */
export class CurrentInput {
  static readonly #HEAD = 12;
  static readonly #MAX_INPUT = 4 * 1024 * 1024;
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory = new SharedArrayBuffer(CurrentInput.#HEAD + CurrentInput.#MAX_INPUT)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, 3);
    this.#bytes = new Uint8Array(memory, CurrentInput.#HEAD);
  }

  /** The worker says what it turns to. */
  set(input: Uint8Array): void {
    this.#bytes.set(input.subarray(0, this.#bytes.length));
    Atomics.store(this.#numbers, 1, Math.min(input.length, this.#bytes.length));
    Atomics.add(this.#numbers, 0, 1);
  }

  /** Changes with every input. */
  get count(): number {
    return Atomics.load(this.#numbers, 0);
  }

  get input(): Uint8Array {
    return this.#bytes.slice(0, Atomics.load(this.#numbers, 1));
  }

  /** The watchdog asks the worker to end after the batch at hand. */
  askToStop(): void {
    Atomics.store(this.#numbers, 2, 1);
  }

  get stopAsked(): boolean {
    return Atomics.load(this.#numbers, 2) === 1;
  }
}
