import type { TermPostings } from '../format/term-postings.ts';

interface Entry {
  readonly postings: TermPostings;
  bytes: number;
}

/** The entries of a generation, and what they take. */
class Generation {
  readonly entries = new Map<string, Entry>();
  bytes = 0;

  add(key: string, entry: Entry): void {
    this.entries.set(key, entry);
    this.bytes += entry.bytes;
  }

  remove(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.bytes -= entry.bytes;
  }
}

/**
 * Postings of the terms asked for lately, up to a number of bytes. Of two generations the older one is dropped when the
 * younger is full: every query asks for each of its terms a dozen times, and a list in the order of use would be written each time.
 */
export class PostingsCache {
  readonly #capacity: number;
  #young = new Generation();
  #old = new Generation();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): TermPostings | undefined {
    const young = this.#young.entries.get(key);
    if (young !== undefined) return young.postings;
    const old = this.#old.entries.get(key);
    if (old === undefined) return undefined;
    this.#old.remove(key, old);
    this.#young.add(key, old);
    this.#shrink();
    return old.postings;
  }

  set(key: string, postings: TermPostings, bytes: number): void {
    this.#young.add(key, { postings, bytes });
    this.#shrink();
  }

  /** The entry has come to hold more. */
  enlarge(key: string, bytes: number): void {
    const generation = this.#young.entries.has(key) ? this.#young : this.#old;
    const entry = generation.entries.get(key);
    if (entry === undefined) return;
    entry.bytes += bytes;
    generation.bytes += bytes;
    this.#shrink();
  }

  /** Forgets what belongs to a segment that is closed. */
  forget(prefix: string): void {
    for (const generation of [this.#young, this.#old])
      for (const [key, entry] of generation.entries) if (key.startsWith(prefix)) generation.remove(key, entry);
  }

  #shrink(): void {
    if (this.#young.bytes > this.#capacity / 2) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    // A single term may take more than all of it.
    if (this.#young.bytes + this.#old.bytes > this.#capacity) this.#old = new Generation();
  }
}
