import type { Clock } from './clock.ts';

interface Entry<V> {
  readonly value: V;
  readonly expiresAt: number;
}

/** A map with expiry, bounded: the least recently used gives way. Never an entry at or after its expiry. */
export class TtlCache<K, V> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #maxEntries: number;
  /** Insertion order is order of use: the first entry is the one unused for longest. */
  readonly #entries = new Map<K, Entry<V>>();

  constructor(clock: Pick<Clock, 'now'>, maxEntries: number) {
    this.#clock = clock;
    this.#maxEntries = Math.max(1, maxEntries);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expiresAt <= this.#clock.now()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, ttlMs: number): void {
    this.#entries.delete(key);
    if (ttlMs <= 0) return;
    if (this.#entries.size >= this.#maxEntries) this.#entries.delete(this.#entries.keys().next().value as K);
    this.#entries.set(key, { value, expiresAt: this.#clock.now() + ttlMs });
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
