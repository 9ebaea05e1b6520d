const FIRST_CAPACITY = 1024;
/** Beyond this share of places taken, looking through neighbours takes long. */
const MOST_TAKEN = 0.7;

/** Where lines begin, by a hash of their keys: 12 bytes a place. Different keys may share a hash: whoever reads the line looks at it. */
export class LineStarts {
  #hashes = new Uint32Array(FIRST_CAPACITY);
  /** One more than the start; 0 where the place is free. */
  #starts = new Float64Array(FIRST_CAPACITY);
  #size = 0;

  add(hash: number, start: number): void {
    if (this.#size >= MOST_TAKEN * this.#hashes.length) this.#grow();
    this.#put(hash >>> 0, start + 1);
    this.#size++;
  }

  /** Rising. */
  of(hash: number): number[] {
    const found: number[] = [];
    const last = this.#hashes.length - 1;
    for (let at = hash & last; this.#starts[at] !== 0; at = (at + 1) & last)
      if (this.#hashes[at] === hash >>> 0) found.push((this.#starts[at] as number) - 1);
    return found.sort((a, b) => a - b);
  }

  #put(hash: number, entry: number): void {
    const last = this.#hashes.length - 1;
    let at = hash & last;
    while (this.#starts[at] !== 0) at = (at + 1) & last;
    this.#hashes[at] = hash;
    this.#starts[at] = entry;
  }

  #grow(): void {
    const [hashes, starts] = [this.#hashes, this.#starts];
    this.#hashes = new Uint32Array(2 * hashes.length);
    this.#starts = new Float64Array(2 * hashes.length);
    for (let at = 0; at < hashes.length; at++)
      if (starts[at] !== 0) this.#put(hashes[at] as number, starts[at] as number);
  }
}
