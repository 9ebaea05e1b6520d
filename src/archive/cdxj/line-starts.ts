const FIRST_CAPACITY = 1024;
/** Beyond this share of places taken, looking through neighbours takes long. */
const MOST_TAKEN = 0.8;
/** By little at a time: a table that doubles is half empty, and an archive has millions of lines. */
const GROWTH = 1.25;
const WORD = 0x1_0000_0000;

/**
 * Where lines begin, by a hash of their keys: 8 bytes a place, and 2 more once a file has more than 4 GB. Different keys may share a
 * hash: whoever reads the line looks at it.
 */
export class LineStarts {
  #hashes = new Uint32Array(FIRST_CAPACITY);
  /** One more than the start, which is 0 where the place is free: its lower 32 bits, and those above as soon as there are any. */
  #lows = new Uint32Array(FIRST_CAPACITY);
  #highs: Uint16Array<ArrayBuffer> | undefined;
  #size = 0;

  /** Bytes held. */
  get bytes(): number {
    return this.#hashes.byteLength + this.#lows.byteLength + (this.#highs?.byteLength ?? 0);
  }

  add(hash: number, start: number): void {
    if (this.#size >= MOST_TAKEN * this.#hashes.length) this.#grow();
    this.#put(hash >>> 0, start + 1);
    this.#size++;
  }

  /** Rising. */
  of(hash: number): number[] {
    const found: number[] = [];
    const wanted = hash >>> 0;
    for (let at = this.#firstOf(wanted), entry = this.#entry(at); entry !== 0; entry = this.#entry(at)) {
      if (this.#hashes[at] === wanted) found.push(entry - 1);
      at = this.#next(at);
    }
    return found.sort((a, b) => a - b);
  }

  #firstOf(hash: number): number {
    return Math.floor((hash * this.#hashes.length) / WORD);
  }

  #next(at: number): number {
    return at + 1 === this.#hashes.length ? 0 : at + 1;
  }

  #entry(at: number): number {
    return this.#lows[at] + (this.#highs === undefined ? 0 : this.#highs[at] * WORD);
  }

  #put(hash: number, entry: number): void {
    let at = this.#firstOf(hash);
    while (this.#entry(at) !== 0) at = this.#next(at);
    this.#hashes[at] = hash;
    this.#lows[at] = entry % WORD;
    if (entry < WORD) return;
    this.#highs ??= new Uint16Array(this.#hashes.length);
    this.#highs[at] = Math.floor(entry / WORD);
  }

  #grow(): void {
    const [hashes, lows, highs] = [this.#hashes, this.#lows, this.#highs];
    const capacity = Math.ceil(hashes.length * GROWTH);
    this.#hashes = new Uint32Array(capacity);
    this.#lows = new Uint32Array(capacity);
    if (highs !== undefined) this.#highs = new Uint16Array(capacity);
    for (let at = 0; at < hashes.length; at++) {
      const entry = lows[at] + (highs === undefined ? 0 : highs[at] * WORD);
      if (entry !== 0) this.#put(hashes[at], entry);
    }
  }
}
