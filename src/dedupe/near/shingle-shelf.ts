/** Where lists go that memory has no room for; whoever runs the batch owns the disk. */
export interface Spill {
  /** Keeps bytes; answers the place to read them from. */
  append(bytes: Uint8Array): number;
  read(place: number, bytes: Uint8Array): void;
}

export interface ShelfOptions {
  /** Bytes kept in memory; what comes after goes to the spill. */
  readonly memoryBytes: number;
  readonly spill: Spill;
}

const PAGE_WORDS = 1 << 20;
/** Each page is four times as long as the one before, up to the full size: few documents take little memory. */
const FIRST_PAGE_WORDS = 1 << 14;

/** The distinct shingle hashes of many documents, each list ascending, in large pages. With a spill, memory is bounded. */
export class ShingleShelf {
  readonly #options: ShelfOptions | undefined;
  readonly #pages: Int32Array[] = [];
  /** By list: its place; in memory a page and an offset, else -1 - the place in the spill. */
  readonly #places: number[] = [];
  readonly #lengths: number[] = [];
  #used = 0;
  #bytes = 0;

  constructor(options?: ShelfOptions) {
    this.#options = options;
  }

  /** The number of the list. */
  put(hashes: Int32Array): number {
    const options = this.#options;
    this.#lengths.push(hashes.length);
    if (options !== undefined && this.#bytes + hashes.byteLength > options.memoryBytes) {
      const bytes = new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength);
      return this.#places.push(-1 - options.spill.append(bytes)) - 1;
    }
    this.#bytes += hashes.byteLength;
    if (this.#used + hashes.length > (this.#pages.at(-1)?.length ?? 0)) {
      const words = Math.min(PAGE_WORDS, FIRST_PAGE_WORDS * 4 ** this.#pages.length);
      this.#pages.push(new Int32Array(Math.max(words, hashes.length)));
      this.#used = 0;
    }
    this.#pages[this.#pages.length - 1].set(hashes, this.#used);
    const place = (this.#pages.length - 1) * PAGE_WORDS + this.#used;
    this.#used += hashes.length;
    return this.#places.push(place) - 1;
  }

  length(list: number): number {
    return this.#lengths[list];
  }

  get(list: number): Int32Array {
    const place = this.#places[list];
    const length = this.#lengths[list];
    if (place >= 0) {
      const offset = place % PAGE_WORDS;
      return this.#pages[(place - offset) / PAGE_WORDS].subarray(offset, offset + length);
    }
    const hashes = new Int32Array(length);
    this.#options?.spill.read(-1 - place, new Uint8Array(hashes.buffer));
    return hashes;
  }
}

/**
 * The Jaccard coefficient of two lists if it reaches the threshold, else undefined. Stops as soon as too much differs.
 * Exact but for different shingles with equal hashes: in two texts of 1,000 words one chance in 2,000 of an error of a
 * thousandth.
 */
export function jaccardAtLeast(a: Int32Array, b: Int32Array, threshold: number): number | undefined {
  const total = a.length + b.length;
  // J = s / (total - s) >= t  <=>  what is not shared <= total - 2 t total / (1 + t); a grain for rounding.
  const mostUnshared = total - (2 * threshold * total) / (1 + threshold) + 1e-9;
  let i = 0;
  let j = 0;
  let shared = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      shared++;
      i++;
      j++;
    } else {
      if (a[i] < b[j]) i++;
      else j++;
      if (i + j - 2 * shared > mostUnshared) return undefined;
    }
  }
  return total - 2 * shared > mostUnshared ? undefined : shared / (total - shared);
}
