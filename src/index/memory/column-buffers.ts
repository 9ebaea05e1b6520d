/**
 * Memory for reading columns of many documents. A snapshot keeps it from search to search: as garbage of each it would come
 * to hundreds of kilobytes that only the next collection gives back.
 */
export class ColumnBuffers {
  #documents = new Uint32Array(0);
  #flags = new Uint8Array(0);
  #wanted = new Uint8Array(0);
  #counts = new Uint32Array(0);

  /** Room for this many documents; whatever it was used for before is gone. */
  documents(length: number): Uint32Array {
    if (this.#documents.length < length) this.#documents = new Uint32Array(length);
    return this.#documents;
  }

  /** This many zeros, one for each document. */
  flags(length: number): Uint8Array {
    if (this.#flags.length < length) this.#flags = new Uint8Array(length);
    else this.#flags.fill(0, 0, length);
    return this.#flags;
  }

  /** This many zeros, one for each value of a column. */
  wanted(length: number): Uint8Array {
    if (this.#wanted.length < length) this.#wanted = new Uint8Array(length);
    else this.#wanted.fill(0, 0, length);
    return this.#wanted;
  }

  /** This many zeros, to count the documents of each value. */
  counts(length: number): Uint32Array {
    if (this.#counts.length < length) this.#counts = new Uint32Array(length);
    else this.#counts.fill(0, 0, length);
    return this.#counts;
  }
}
