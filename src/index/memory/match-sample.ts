/** More are needed only by as many searches at once. */
const MOST_KEPT = 4;

/** Lends samples: as garbage of each search they would come to tens of kilobytes. */
export class MatchSamples {
  readonly #free: MatchSample[] = [];

  /** Room for this many matches. */
  take(capacity: number): MatchSample {
    const known = this.#free.findIndex((sample) => sample.capacity === capacity);
    const [sample = new MatchSample(capacity, this)] = known < 0 ? [] : this.#free.splice(known, 1);
    sample.clear();
    return sample;
  }

  giveBack(sample: MatchSample): void {
    if (this.#free.length < MOST_KEPT) this.#free.push(sample);
  }
}

/**
 * As many matches as there is room for: all of them, or a sample spread evenly over them in the order in which they come.
 * Whoever took it gives it back.
 */
export class MatchSample implements Disposable {
  readonly capacity: number;
  readonly #documents: Uint32Array;
  readonly #lender: MatchSamples;
  /** Of so many matches one is kept. */
  #stride = 1;
  #left = 1;
  size = 0;

  constructor(capacity: number, lender: MatchSamples) {
    this.capacity = capacity;
    this.#documents = new Uint32Array(capacity);
    this.#lender = lender;
  }

  add(document: number): void {
    if (--this.#left > 0) return;
    this.#left = this.#stride;
    if (this.size === this.capacity) this.#thin();
    this.#documents[this.size++] = document;
  }

  clear(): void {
    this.#stride = 1;
    this.#left = 1;
    this.size = 0;
  }

  /** They stay until it is given back. */
  get documents(): Uint32Array {
    return this.#documents.subarray(0, this.size);
  }

  [Symbol.dispose](): void {
    this.#lender.giveBack(this);
  }

  /** Every second one stays. */
  #thin(): void {
    const documents = this.#documents;
    let kept = 0;
    for (let at = 0; at < this.size; at += 2) documents[kept++] = documents[at];
    this.size = kept;
    this.#stride *= 2;
    this.#left = this.#stride;
  }
}
