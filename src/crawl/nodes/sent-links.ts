const MOST_SIGHTINGS = 255;

/**
 * The links that leave a node most often, so that they are not sent again: most links of a page are those of the page before. May
 * forget, never invents. Each place holds one link and how often it was seen; another one takes it over when it has come as often.
 */
export class SentLinks {
  readonly #size: bigint;
  #links = new BigUint64Array(0);
  #sightings = new Uint8Array(0);

  /** How many links are remembered. */
  constructor(size: number) {
    this.#size = BigInt(size);
  }

  /** Whether the link was sent; that counts as a sighting. */
  has(fingerprint: bigint): boolean {
    if (this.#links.length === 0) return false;
    const place = Number(fingerprint % this.#size);
    if (this.#links[place] !== fingerprint) return false;
    if (this.#sightings[place] < MOST_SIGHTINGS) this.#sightings[place]++;
    return true;
  }

  add(fingerprint: bigint): void {
    if (this.#size === 0n) return;
    if (this.#links.length === 0) {
      this.#links = new BigUint64Array(Number(this.#size));
      this.#sightings = new Uint8Array(Number(this.#size));
    }
    const place = Number(fingerprint % this.#size);
    if (this.#links[place] !== fingerprint && this.#sightings[place] > 0) {
      this.#sightings[place]--;
      return;
    }
    this.#links[place] = fingerprint;
    this.#sightings[place] = 1;
  }

  clear(): void {
    this.#links = new BigUint64Array(0);
    this.#sightings = new Uint8Array(0);
  }
}
