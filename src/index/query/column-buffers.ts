/**
 * Memory for reading columns of many documents. A snapshot keeps it from search to search: as garbage of each it would come
 * to hundreds of kilobytes that only the next collection gives back.
 */
export class ColumnBuffers {
  #documents = new Uint32Array(0);
  #values = new Float64Array(0);

  /** Room for so many documents; whatever it was used for before is gone. */
  documents(length: number): Uint32Array {
    if (this.#documents.length < length) this.#documents = new Uint32Array(length);
    return this.#documents;
  }

  values(length: number): Float64Array {
    if (this.#values.length < length) this.#values = new Float64Array(length);
    return this.#values;
  }
}
