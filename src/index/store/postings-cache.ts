import type { TermPostings } from '../format/term-postings.ts';

interface Entry {
  readonly postings: TermPostings;
  bytes: number;
}

/** Postings of the terms asked for lately, up to a number of bytes. */
export class PostingsCache {
  readonly #entries = new Map<string, Entry>();
  readonly #capacity: number;
  #bytes = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): TermPostings | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // The youngest stands last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.postings;
  }

  set(key: string, postings: TermPostings, bytes: number): void {
    this.#entries.set(key, { postings, bytes });
    this.#bytes += bytes;
    this.#shrink();
  }

  /** The entry has come to hold more. */
  enlarge(key: string, bytes: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#shrink();
  }

  /** Forgets what belongs to a segment that is closed. */
  forget(prefix: string): void {
    for (const [key, entry] of this.#entries) {
      if (!key.startsWith(prefix)) continue;
      this.#entries.delete(key);
      this.#bytes -= entry.bytes;
    }
  }

  #shrink(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#capacity) return;
      this.#entries.delete(key);
      this.#bytes -= entry.bytes;
    }
  }
}
