/** Hands typed notices to listeners. One that throws is told to the console and changes nothing. */
export class EventHub<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(event: never) => void>>();

  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): Disposable {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return { [Symbol.dispose]: () => listeners.delete(listener) };
  }

  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        (listener as (event: Events[Name]) => void)(event);
      } catch (error) {
        console.error(`A listener of "${String(name)}" failed:`, error);
      }
    }
  }

  /** Whether making the notice is worth the trouble. */
  hears(name: keyof Events): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0;
  }
}
