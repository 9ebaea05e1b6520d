import { UrlKey } from './url-key.ts';
import { UrlNumbers } from './url-numbers.ts';

const NO_HOST = 0xffff_ffff;

/** URLs by number, each with the number of its host and a visit that names it: about 30 bytes a URL. */
export class NumberedUrls {
  readonly #numbers = new UrlNumbers();
  readonly #key = new UrlKey();
  readonly #hostNumbers = new Map<string, number>();
  #hostOf = new Uint32Array(1024).fill(NO_HOST);
  #namedBy = new Uint32Array(1024);

  get count(): number {
    return this.#numbers.count;
  }

  get hosts(): readonly string[] {
    return [...this.#hostNumbers.keys()];
  }

  /** Number of the host of each URL. */
  get hostOf(): Uint32Array {
    return this.#hostOf.subarray(0, this.count);
  }

  find(url: string): number | undefined {
    return numberIn(this.#numbers, this.#key, url);
  }

  /** `find` for whoever needs nothing else: holds the numbers, and neither hosts nor visits. */
  finder(): (url: string) => number | undefined {
    return finderIn(this.#numbers, this.#key);
  }

  add(url: string, visit: number): number {
    const { hi, lo } = this.#key.set(url);
    return this.addKey(hi, lo, visit);
  }

  /** By its fingerprint. The visit is kept where the URL is new. */
  addKey(hi: number, lo: number, visit: number): number {
    const before = this.#numbers.count;
    const number = this.#numbers.add(hi, lo);
    if (number < before) return number;
    if (number === this.#hostOf.length) {
      this.#hostOf = doubled(this.#hostOf, NO_HOST);
      this.#namedBy = doubled(this.#namedBy, 0);
    }
    this.#namedBy[number] = visit;
    return number;
  }

  namedBy(number: number): number {
    return this.#namedBy[number];
  }

  hasHost(number: number): boolean {
    return this.#hostOf[number] !== NO_HOST;
  }

  setHost(number: number, host: string): void {
    const known = this.#hostNumbers.get(host);
    if (known === undefined) this.#hostNumbers.set(host, this.#hostNumbers.size);
    this.#hostOf[number] = known ?? this.#hostNumbers.size - 1;
  }

  /** Both are of one host. */
  shareHost(number: number, other: number): void {
    this.#hostOf[number] = this.#hostOf[other];
  }
}

/** Outside of the class, where it would hold all that the class does. */
function finderIn(numbers: UrlNumbers, key: UrlKey): (url: string) => number | undefined {
  return (url) => numberIn(numbers, key, url);
}

function numberIn(numbers: UrlNumbers, key: UrlKey, url: string): number | undefined {
  const { hi, lo } = key.set(url);
  const number = numbers.find(hi, lo);
  return number < 0 ? undefined : number;
}

function doubled(values: Uint32Array<ArrayBuffer>, free: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * values.length).fill(free, values.length);
  larger.set(values);
  return larger;
}
