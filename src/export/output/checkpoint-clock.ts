/** Tells when a checkpoint is due: by what was written, so that a run that was cut off has them at the same places. */
export class CheckpointClock {
  readonly #every: number;
  #since = 0;

  constructor(every: number) {
    this.#every = every;
  }

  get isDue(): boolean {
    return this.#since >= this.#every;
  }

  add(bytes: number): void {
    this.#since += bytes;
  }

  restart(): void {
    this.#since = 0;
  }
}
