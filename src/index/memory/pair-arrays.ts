/** Room for the list of a pair of words in one part of a segment, which one part after the other uses. */
export class PairArrays {
  documents = new Uint32Array(0);
  codes = new Uint32Array(0);

  /** Room for this many documents, until it is asked for more. */
  reserve(most: number): void {
    if (this.documents.length >= most) return;
    this.documents = new Uint32Array(most);
    this.codes = new Uint32Array(most);
  }
}
