/** What was read last stays in memory, up to a number of bytes. */
export class HeldArrays {
  readonly #most: number;
  readonly #held = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** As held, else as `make` gives it. */
  get<T>(key: string, make: () => T, bytesOf: (value: T) => number): T {
    const held = this.#held.get(key);
    if (held !== undefined) {
      this.#held.delete(key);
      this.#held.set(key, held);
      return held.value as T;
    }
    const value = make();
    this.put(key, value, bytesOf(value));
    return value;
  }

  peek<T>(key: string): T | undefined {
    return this.#held.get(key)?.value as T | undefined;
  }

  put(key: string, value: unknown, bytes: number): void {
    this.#bytes += bytes - (this.#held.get(key)?.bytes ?? 0);
    this.#held.delete(key);
    this.#held.set(key, { value, bytes });
    for (const [oldest, { bytes: freed }] of this.#held) {
      if (this.#bytes <= this.#most || oldest === key) break;
      this.#held.delete(oldest);
      this.#bytes -= freed;
    }
  }
}
