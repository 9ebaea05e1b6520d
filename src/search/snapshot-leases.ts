import type { IndexSnapshot } from '../contracts/search-index.ts';

/** The reading side of an index that others may write to at the same time. */
export interface CommittedIndex {
  /** Another number than before where something was committed since; cheap to ask. */
  version(): number;
  /** The state that was committed last. */
  snapshot(): IndexSnapshot;
}

/** A snapshot that stays open until its last reader lets go of it. */
export interface SnapshotLease extends Disposable {
  readonly snapshot: IndexSnapshot;
}

interface Held {
  readonly snapshot: IndexSnapshot;
  readonly version: number;
  readers: number;
}

/**
 * Gives every question the state that was committed last. A question that waits for texts keeps the state that it began
 * with, however often the index is committed to meanwhile.
 */
export class SnapshotLeases implements Disposable {
  readonly #index: CommittedIndex;
  #held: Held | undefined;

  constructor(index: CommittedIndex) {
    this.#index = index;
  }

  lease(): SnapshotLease {
    const held = this.#newest();
    held.readers++;
    let open = true;
    return {
      snapshot: held.snapshot,
      [Symbol.dispose]: () => {
        if (open) letGo(held);
        open = false;
      },
    };
  }

  [Symbol.dispose](): void {
    if (this.#held !== undefined) letGo(this.#held);
    this.#held = undefined;
  }

  #newest(): Held {
    const version = this.#index.version();
    if (this.#held?.version === version) return this.#held;
    // The leases themselves are one reader of the newest state.
    const held = { snapshot: this.#index.snapshot(), version, readers: 1 };
    if (this.#held !== undefined) letGo(this.#held);
    this.#held = held;
    return held;
  }
}

function letGo(held: Held): void {
  held.readers--;
  if (held.readers === 0) held.snapshot[Symbol.dispose]();
}
