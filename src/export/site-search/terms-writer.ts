import { ByteWriter } from '../../base/byte-writer.ts';
import type { ExportFolder } from '../../contracts/export.ts';
import { byteOfWeight, partPath } from './browser/bundle-format.ts';

/** A part is closed beyond this: small enough to load for a word, large enough that there are not too many. */
const PART_BYTES = 32 * 1024;

/** Writes the index of a bundle: parts of the vocabulary, in the order of the terms. */
export class TermsWriter {
  readonly #folder: ExportFolder;
  readonly #part = new ByteWriter(2 * PART_BYTES);
  readonly #list = new ByteWriter();
  readonly firstTerms: string[] = [];
  #last = -1;
  #count = 0;
  #term: string | undefined;

  constructor(folder: ExportFolder) {
    this.#folder = folder;
  }

  /** Pages come in the order of their numbers. */
  addPosting(page: number, weight: number): void {
    this.#list.varint(page - this.#last - 1);
    this.#list.byte(byteOfWeight(weight));
    this.#last = page;
    this.#count++;
  }

  /** Of the postings added since the last; terms come in order. */
  async endTerm(term: string): Promise<void> {
    if (this.#count === 0) return;
    this.#term ??= term;
    const name = Buffer.from(term);
    this.#part.varint(name.length);
    this.#part.bytes(name);
    this.#part.varint(this.#count);
    this.#part.varint(this.#list.length);
    this.#part.bytes(this.#list.written);
    this.#list.clear();
    this.#last = -1;
    this.#count = 0;
    if (this.#part.length >= PART_BYTES) await this.finish();
  }

  /** Closes the part that was begun. */
  async finish(): Promise<void> {
    if (this.#term === undefined) return;
    const file = await this.#folder.file(partPath('terms', this.firstTerms.length));
    await file.write(this.#part.written.slice());
    await file.close();
    this.firstTerms.push(this.#term);
    this.#part.clear();
    this.#term = undefined;
  }
}
