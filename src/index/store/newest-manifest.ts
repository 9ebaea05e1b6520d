import { statSync } from 'node:fs';
import { newestManifest } from './manifest.ts';

/** A folder that has not changed for so long shows every later change by another time; clocks of file systems are coarse. */
const SETTLED_MS = 3_000;

/** The number of a folder's newest manifest, for those who ask with every query: it is listed only where it may have changed. */
export class NewestManifest {
  readonly #folder: string;
  readonly #now: () => number;
  #known: { readonly changedAt: number; readonly number: number } | undefined;

  /** `now`: ms since the epoch. */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** 0 where there is none. */
  number(): number {
    // Before the listing: a change in between is seen by the next call.
    const changedAt = statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt !== undefined && this.#known?.changedAt === changedAt) return this.#known.number;
    const now = this.#now();
    const number = newestManifest(this.#folder);
    const isSettled = changedAt !== undefined && now - changedAt > SETTLED_MS;
    this.#known = isSettled ? { changedAt, number } : undefined;
    return number;
  }
}
