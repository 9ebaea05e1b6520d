import { type Content, contentAt } from './page-content.ts';

const CAPACITY = 64;
const START = 8;

/** The paths of an origin with the smallest hashes: origins with the same paths sample the same ones independently. */
export class PathSample {
  #size = 0;
  #paths = new Uint32Array(START);
  /** Per entry: digest, low and high half of the simhash, seconds, flags. */
  #contents = new Uint32Array(START * 5);
  /** The place of the largest hash; only of use once the sample is full. */
  #largest = 0;
  #overflown = false;

  get size(): number {
    return this.#size;
  }

  /** The chance of a visited path to be in the sample. */
  get rate(): number {
    return this.#overflown ? (this.#paths[this.#largest] + 1) / 0x1_0000_0000 : 1;
  }

  path(at: number): number {
    return this.#paths[at];
  }

  content(at: number): Content {
    return contentAt(this.#contents, at * 5);
  }

  /** What lies at a path, if that is in the sample. */
  at(path: number): Content | undefined {
    const at = this.indexOf(path);
    return at < 0 ? undefined : this.content(at);
  }

  /** -1: not in the sample. */
  indexOf(path: number): number {
    const paths = this.#paths;
    for (let at = 0; at < this.#size; at++) if (paths[at] === path) return at;
    return -1;
  }

  /** Whether the path is in the sample now. */
  put(path: number, content: Content): boolean {
    let at = this.indexOf(path);
    if (at < 0) {
      if (this.#size < CAPACITY) at = this.#append();
      else {
        this.#overflown = true;
        if (path > this.#paths[this.#largest]) return false;
        at = this.#largest;
      }
      this.#paths[at] = path;
      this.#findLargest();
    }
    const { digest, low, high, seconds, flags } = content;
    this.#contents.set([digest, low, high, seconds, flags], at * 5);
    return true;
  }

  toJson(): string {
    const numbers = new Uint32Array(1 + this.#size * 6);
    numbers[0] = this.#overflown ? 1 : 0;
    numbers.set(this.#paths.subarray(0, this.#size), 1);
    numbers.set(this.#contents.subarray(0, this.#size * 5), 1 + this.#size);
    return Buffer.from(numbers.buffer).toString('base64');
  }

  static fromJson(text: string): PathSample {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
    const numbers = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
    const size = Math.max(0, Math.min(CAPACITY, Math.floor((numbers.length - 1) / 6)));
    const sample = new PathSample();
    for (let at = 0; at < size; at++) sample.put(numbers[1 + at], contentAt(numbers, 1 + size + at * 5));
    sample.#overflown = size === CAPACITY && numbers[0] === 1;
    return sample;
  }

  #append(): number {
    if (this.#size === this.#paths.length) {
      const paths = new Uint32Array(this.#size * 2);
      paths.set(this.#paths);
      this.#paths = paths;
      const contents = new Uint32Array(this.#size * 10);
      contents.set(this.#contents);
      this.#contents = contents;
    }
    return this.#size++;
  }

  #findLargest(): void {
    if (this.#size < CAPACITY) return;
    let largest = 0;
    for (let at = 1; at < CAPACITY; at++) if (this.#paths[at] > this.#paths[largest]) largest = at;
    this.#largest = largest;
  }
}
