import { Session } from 'node:inspector';

interface CoverageRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Coverage {
  readonly result: readonly {
    readonly scriptId: string;
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly CoverageRange[] }[];
  }[];
}

/**
 * Which blocks of the product have run, from V8's own counters. Has to be started before the product is imported: code that
 * is compiled already has no counters in its blocks.
 */
export class BlockCoverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  get blocks(): number {
    return this.#seen.size;
  }

  /** How many blocks ran since the last question that had never run before; they count as seen from now on. */
  newBlocks(): number {
    const before = this.#seen.size;
    for (const key of this.#ran()) this.#seen.add(key);
    return this.#seen.size - before;
  }

  /** Whether anything unseen ran since the last question; it stays unseen. */
  hasNews(): boolean {
    for (const key of this.#ran()) if (!this.#seen.has(key)) return true;
    return false;
  }

  *#ran(): Generator<string> {
    let coverage: Coverage | undefined;
    // The inspector of the same thread answers at once.
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error;
      coverage = taken;
    });
    for (const { scriptId, url, functions } of coverage?.result ?? []) {
      if (!url.includes('/src/')) continue;
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          if (count > 0) yield `${scriptId}:${startOffset}:${endOffset}`;
        }
      }
    }
  }

  close(): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}
