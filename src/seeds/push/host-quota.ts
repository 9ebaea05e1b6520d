import type { Clock } from '../../base/clock.ts';
import { TtlCache } from '../../base/ttl-cache.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** A token bucket per host: `capacity`, refilled evenly over `windowMs`. At most `maxHosts`; least recently used out. */
export class HostQuota {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #capacity: number;
  readonly #windowMs: number;
  readonly #buckets: TtlCache<string, Bucket>;

  constructor(clock: Pick<Clock, 'now'>, capacity: number, windowMs: number, maxHosts = 10_000) {
    this.#clock = clock;
    this.#capacity = capacity;
    this.#windowMs = windowMs;
    this.#buckets = new TtlCache(clock, maxHosts);
  }

  /** Takes `amount`, or nothing. Answers the ms until it could be had: 0 where it was. */
  take(host: string, amount: number): number {
    const now = this.#clock.now();
    const held = this.#buckets.get(host);
    const refilled = held === undefined ? this.#capacity : (this.#capacity * (now - held.filledAt)) / this.#windowMs;
    const tokens = Math.min(this.#capacity, (held?.tokens ?? 0) + Math.max(0, refilled));
    const missing = amount - tokens;
    if (missing > 0) return Math.ceil((missing * this.#windowMs) / this.#capacity);
    // After a whole window without use it is full: exactly what a forgotten bucket counts as.
    this.#buckets.set(host, { tokens: tokens - amount, filledAt: now }, this.#windowMs);
    return 0;
  }
}
