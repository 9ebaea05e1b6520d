export interface RateLimitOptions {
  /** Within a minute, of one address. */
  readonly perMinute: number;
  readonly now?: () => number;
}

interface Bucket {
  left: number;
  at: number;
}

const MINUTE_MS = 60_000;
/** More addresses than that are not told apart: the oldest is forgotten. */
const MOST_ADDRESSES = 10_000;

/** How often one address may do something: a bucket that fills evenly. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  /** In the order of their last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor({ perMinute, now = Date.now }: RateLimitOptions) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Seconds until it may be done again; 0: now. Takes nothing. */
  waitOf(address: string): number {
    const { left } = this.#bucketOf(address);
    return left >= 1 ? 0 : Math.ceil(((1 - left) * MINUTE_MS) / this.#perMinute / 1000);
  }

  take(address: string): void {
    const bucket = this.#bucketOf(address);
    bucket.left = Math.max(0, bucket.left - 1);
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    if (this.#buckets.size > MOST_ADDRESSES) {
      const [oldest] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
  }

  #bucketOf(address: string): Bucket {
    const now = this.#now();
    const { left, at } = this.#buckets.get(address) ?? { left: this.#perMinute, at: now };
    // A clock that was set back fills nothing.
    const filled = (Math.max(0, now - at) * this.#perMinute) / MINUTE_MS;
    return { left: Math.min(this.#perMinute, left + filled), at: now };
  }
}
