/** Pages that a thread reads at the same time and that are told apart; of more, the rest are not noted. */
const PLACES = 64;

/**
 * What a page thread shows of itself while it is too busy to send a message: that its event loop turns, and which claims it is
 * reading. It lies in memory that both threads share, so it can still be read when the thread has died.
 */
export class ThreadPulse {
  readonly shared: SharedArrayBuffer;
  readonly #beats: Int32Array;
  readonly #reading: Float64Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(8 + 8 * PLACES)) {
    this.shared = shared;
    this.#beats = new Int32Array(shared, 0, 1);
    this.#reading = new Float64Array(shared, 8);
  }

  /** The number of turns so far. */
  get beats(): number {
    return Atomics.load(this.#beats, 0);
  }

  beat(): void {
    Atomics.add(this.#beats, 0, 1);
  }

  /** A claim's document has arrived and is read from now on. Ids are above 0. */
  begin(id: number): void {
    const place = this.#reading.indexOf(0);
    if (place >= 0) this.#reading[place] = id;
  }

  end(id: number): void {
    const place = this.#reading.indexOf(id);
    if (place >= 0) this.#reading[place] = 0;
  }

  /** Ids of the claims that are being read. */
  get reading(): readonly number[] {
    return [...this.#reading].filter((id) => id !== 0);
  }
}
