/** Which documents of a segment are gone. Never changed once shared: `with` makes a new one. */
export class Deletions {
  readonly bits: Uint8Array;
  readonly count: number;

  constructor(bits: Uint8Array) {
    this.bits = bits;
    let count = 0;
    for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
    this.count = count;
  }

  static none(documents: number): Deletions {
    return new Deletions(new Uint8Array((documents + 7) >> 3));
  }

  has(document: number): boolean {
    return (this.bits[document >> 3] & (1 << (document & 7))) !== 0;
  }

  with(documents: Iterable<number>): Deletions {
    const bits = this.bits.slice();
    for (const document of documents) bits[document >> 3] |= 1 << (document & 7);
    return new Deletions(bits);
  }
}
