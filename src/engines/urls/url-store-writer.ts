import { statSync } from 'node:fs';
import { join } from 'node:path';
import { diskError } from '../../base/disk-error.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { UrlStoreCommit, UrlStoreWriter } from '../../contracts/state/url-store.ts';
import { lockFile } from '../folder-lock.ts';
import { SAMPLE_RESTS } from './key-sample.ts';
import { KeySorter } from './key-sorter.ts';
import { mergeKeys } from './merge-keys.ts';
import type { RunReader } from './run-reader.ts';
import { RunWriter } from './run-writer.ts';
import {
  type ListedRun,
  LOCK_NAME,
  NO_RUNS,
  readRunList,
  removeLeftovers,
  runName,
  writeRunList,
} from './store-files.ts';
import { learnSymbols, type SymbolTable } from './symbol-table.ts';
import { keyOfUrl } from './url-key.ts';
import { openRuns } from './url-store-reader.ts';

/** A run is merged with those behind it when they have grown to a quarter of it: each URL is written again about log4(n) times. */
const GROWTH = 4;

/**
 * Adds to a store of URLs: sorted runs, each URL in one of them alone. A commit sorts what was added, leaves out what is known, writes the rest as a run of its
 * own and merges small runs. What was not committed does not count, whatever happens.
 */
export class FileUrlStoreWriter implements UrlStoreWriter {
  readonly #folder: string;
  readonly #lock: Disposable;
  readonly #sorter: KeySorter;
  #runs: ListedRun[];
  #next: number;

  /** Refused (`FOLDER_IN_USE`) while another process adds to the same store. */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#lock = this.#guarded(() => {
      makeFolder(folder);
      return lockFile(join(folder, LOCK_NAME), `Another process is adding URLs to ${folder}.`);
    });
    try {
      const { runs, next } = this.#guarded(() => readRunList(folder)) ?? NO_RUNS;
      this.#runs = [...runs];
      this.#next = next;
      this.#guarded(() => removeLeftovers(folder, runs));
    } catch (cause) {
      this.#lock[Symbol.dispose]();
      throw cause;
    }
    this.#sorter = new KeySorter(folder, maxBytes);
  }

  get size(): number {
    return this.#runs.reduce((sum, { urls }) => sum + urls, 0);
  }

  add(url: string): void {
    this.#guarded(() => this.#sorter.add(keyOfUrl(url)));
  }

  commit(): UrlStoreCommit {
    return this.#guarded(() => {
      const { added: given } = this.#sorter;
      const before = this.size;
      const known = openRuns(this.#folder, this.#runs);
      try {
        const sorted = this.#sorter.sorted();
        const run = this.#write(unknown(sorted, known), learnSymbols(this.#sorter.sample(), given));
        if (run !== undefined) this.#runs.push(run);
      } finally {
        close(known);
      }
      writeRunList(this.#folder, { runs: this.#runs, next: this.#next });
      this.#sorter[Symbol.dispose]();
      this.#sorter.added = 0;
      this.#merge(this.#firstToMerge());
      return { added: this.size - before, given };
    });
  }

  compact(): void {
    this.#guarded(() => this.#merge(0));
  }

  [Symbol.dispose](): void {
    this.#sorter[Symbol.dispose]();
    this.#lock[Symbol.dispose]();
  }

  /** The first of the runs that have to become one: all behind it together have a quarter of its bytes or more. */
  #firstToMerge(): number {
    let first = this.#runs.length - 1;
    let behind = 0;
    for (let at = this.#runs.length - 1; at >= 0; at--) {
      const { bytes } = this.#runs[at];
      if (behind * GROWTH >= bytes) first = at;
      behind += bytes;
    }
    return first;
  }

  #merge(first: number): void {
    if (this.#runs.length - first < 2) return;
    const merged = openRuns(this.#folder, this.#runs.slice(first));
    try {
      const urls = merged.reduce((sum, { foot }) => sum + foot.urls, 0);
      // From each run by its size: the largest says most of what will be there.
      const rests = merged.flatMap((run) => [...run.sample((SAMPLE_RESTS * run.foot.urls) / urls)]);
      const run = this.#write(mergeKeys(merged.map((part) => part.keys())), learnSymbols(rests, urls));
      this.#runs = [...this.#runs.slice(0, first), ...(run === undefined ? [] : [run])];
    } finally {
      close(merged);
    }
    writeRunList(this.#folder, { runs: this.#runs, next: this.#next });
    removeLeftovers(this.#folder, this.#runs);
  }

  /** Undefined where there is nothing to write. */
  #write(keys: Iterable<string>, table: SymbolTable): ListedRun | undefined {
    const file = runName(this.#next);
    const path = join(this.#folder, file);
    using writer = new RunWriter(path, table);
    let any = false;
    for (const key of keys) {
      writer.add(key);
      any = true;
    }
    if (!any) return undefined;
    const { urls } = writer.finish();
    this.#next++;
    return { file, urls, bytes: statSync(path).size };
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw diskError(cause, `the URLs in ${this.#folder}`);
    }
  }
}

/** Sorted keys that no run holds. In order, so that each block of a run is unpacked once at most. */
function* unknown(keys: Iterable<string>, runs: readonly RunReader[]): Generator<string> {
  for (const key of keys) if (!runs.some((run) => run.has(key))) yield key;
}

function close(runs: readonly RunReader[]): void {
  for (const run of runs) run[Symbol.dispose]();
}
