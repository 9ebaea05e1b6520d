import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_RESTS, sampleOfList } from './key-sample.ts';
import { mergeKeys } from './merge-keys.ts';
import { RunReader } from './run-reader.ts';
import { RunWriter } from './run-writer.ts';
import { plainTable } from './symbol-table.ts';

/** What a string of the engine and its place in an array cost beside its characters. */
const KEY_OVERHEAD = 56;
/** More files are not read at once: their blocks and checkpoints take memory too. */
const MOST_SPILLS = 64;

/** Begins the names of files that are read once and thrown away. */
export const SPILL_PREFIX = 'spill-';

/**
 * Sorts any number of keys in bounded memory: what does not fit is written to the folder as sorted runs, which are merged when they are read.
 * Where all fit, nothing is written.
 */
export class KeySorter implements Disposable {
  readonly #folder: string;
  readonly #maxBytes: number;
  #keys: string[] = [];
  #bytes = 0;
  #spills: RunReader[] = [];
  #number = 0;
  #scratch = Buffer.alloc(4096);
  added = 0;

  /** `maxBytes`: of keys that are held in memory. */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  add(key: string): void {
    this.#keys.push(this.#flat(key));
    this.#bytes += key.length + KEY_OVERHEAD;
    this.added++;
    if (this.#bytes >= this.#maxBytes) this.#spill();
  }

  /** All keys in order, each once. More may be added later; not while they are read. */
  sorted(): Generator<string> {
    this.#keys = sortedOnce(this.#keys);
    return mergeKeys([...this.#spills.map((spill) => spill.keys()), this.#keys]);
  }

  /** Files that it reads from. */
  get spilled(): number {
    return this.#spills.length;
  }

  /** Rests of keys from all over what was added, once it is sorted: what symbols are learnt from. */
  sample(): Buffer[] {
    if (this.#spills.length === 0) return [...sampleOfList(this.#keys)];
    return this.#spills.flatMap((spill) => [...spill.sample(SAMPLE_RESTS / this.#spills.length)]);
  }

  /** Removes the files. */
  [Symbol.dispose](): void {
    this.#drop(this.#spills);
    this.#spills = [];
    this.#keys = [];
    this.#bytes = 0;
  }

  /** The same text in memory of its own: one that was put together from parts keeps them all, and their URL. */
  #flat(key: string): string {
    if (key.length > this.#scratch.length) this.#scratch = Buffer.alloc(2 * key.length);
    return this.#scratch.toString('latin1', 0, this.#scratch.write(key, 0, 'latin1'));
  }

  #spill(): void {
    this.#spills.push(this.#write(sortedOnce(this.#keys)));
    this.#keys = [];
    this.#bytes = 0;
    if (this.#spills.length < MOST_SPILLS) return;
    const merged = this.#write(mergeKeys(this.#spills.map((spill) => spill.keys())));
    this.#drop(this.#spills);
    this.#spills = [merged];
  }

  #write(keys: Iterable<string>): RunReader {
    const path = join(this.#folder, `${SPILL_PREFIX}${process.pid}-${this.#number++}`);
    using writer = new RunWriter(path, plainTable());
    for (const key of keys) writer.add(key);
    writer.finish();
    const spill = new RunReader(path);
    // What is open is read on without a name, and gone with the process, however that ends. Windows wants the name to the end.
    if (process.platform !== 'win32') rmSync(path, { force: true });
    return spill;
  }

  #drop(spills: readonly RunReader[]): void {
    for (const spill of spills) {
      spill[Symbol.dispose]();
      rmSync(spill.path, { force: true });
    }
  }
}

function sortedOnce(keys: string[]): string[] {
  keys.sort();
  return keys.filter((key, at) => at === 0 || key !== keys[at - 1]);
}
