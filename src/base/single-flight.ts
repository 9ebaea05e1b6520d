/** Callers who want the same thing at the same time share one piece of work and its result or rejection. */
export class SingleFlight<K, V> {
  readonly #flights = new Map<K, Promise<V>>();

  get size(): number {
    return this.#flights.size;
  }

  /** The work under way for this key, if any. */
  current(key: K): Promise<V> | undefined {
    return this.#flights.get(key);
  }

  /** Joins the work under way for this key, or starts it. A `start` that throws at once rejects like any other. */
  run(key: K, start: () => Promise<V>): Promise<V> {
    const current = this.#flights.get(key);
    if (current !== undefined) return current;
    const flight = (async () => start())().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}
