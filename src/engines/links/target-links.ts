import { entryLength, entryVisit, type LinkEntry, readEntry } from './link-entry.ts';
import type { LinkRuns } from './link-runs.ts';
import type { ReplacedVisits } from './replaced-visits.ts';

/** The links to one URL, by the halves of its fingerprint, as they lie in all runs. */
export class TargetLinks {
  readonly #runs: LinkRuns;
  readonly #replaced: ReplacedVisits;

  constructor(runs: LinkRuns, replaced: ReplacedVisits) {
    this.#runs = runs;
    this.#replaced = replaced;
  }

  /** Tells where each lies, oldest first, as far as `most`. */
  each(hi: number, lo: number, most: number, take: (bytes: Uint8Array, at: number) => void): void {
    let taken = 0;
    for (const run of this.#runs.all) {
      for (const { bytes, start, end } of this.#runs.pieces(run, hi, lo)) {
        for (let at = start; at < end; at += entryLength(bytes, at)) {
          if (this.#replaced.has(entryVisit(bytes, at))) continue;
          if (taken++ === most) return;
          take(bytes, at);
        }
      }
    }
  }

  /** Those from visits after `after`, oldest first: as many as `most`, and all those of the last visit. */
  list(hi: number, lo: number, after: number, most: number): LinkEntry[] {
    const found: LinkEntry[] = [];
    for (const run of this.#runs.all) {
      if (run.toVisit <= after) continue;
      for (const { bytes, start, end } of this.#runs.pieces(run, hi, lo)) {
        for (let at = start; at < end; at += entryLength(bytes, at)) {
          const visit = entryVisit(bytes, at);
          if (visit <= after || this.#replaced.has(visit)) continue;
          if (found.length >= most && found[found.length - 1].visit !== visit) return found;
          found.push(readEntry(bytes, at));
        }
      }
    }
    return found;
  }

  /** How many there are, those of replaced visits included. */
  count(hi: number, lo: number): number {
    let count = 0;
    for (const run of this.#runs.all) for (const piece of this.#runs.pieces(run, hi, lo)) count += piece.count;
    return count;
  }
}
