import { ByteWriter } from '../../base/byte-writer.ts';
import { damagedUrls } from './damaged-urls.ts';
import type { RunFoot } from './run-layout.ts';

/** The checkpoints of a run: which block a key can be in, and where that lies. About 40 bytes a block in memory. */
export class BlockIndex {
  /** One behind the other: of each block what its keys begin at. */
  readonly #texts: Buffer;
  readonly #textEnds: Uint32Array;
  readonly #starts: Float64Array;

  constructor(packed: Uint8Array, { blocks, indexStart, urls }: RunFoot, firstStart: number, path: string) {
    const texts = new ByteWriter();
    this.#textEnds = new Uint32Array(Math.min(blocks, packed.length) + 1);
    this.#starts = new Float64Array(this.#textEnds.length);
    this.#starts[0] = firstStart;
    let at = 0;
    let counted = 0;
    const number = (): number => {
      let value = 0;
      for (let factor = 1; at < packed.length; factor *= 128) {
        const byte = packed[at++];
        value += (byte & 0x7f) * factor;
        if (byte < 0x80) return value;
      }
      throw damagedUrls(path, 'its list of checkpoints is cut off');
    };
    for (let block = 0; block < blocks; block++) {
      const shared = number();
      const length = number();
      const before = block === 0 ? 0 : this.#textEnds[block - 1];
      texts.bytes(texts.written.subarray(before, before + shared));
      texts.bytes(packed.subarray(at, at + length));
      at += length;
      this.#textEnds[block + 1] = texts.length;
      this.#starts[block + 1] = this.#starts[block] + number();
      counted += number();
    }
    if (counted !== urls || this.#starts[blocks] !== indexStart) {
      throw damagedUrls(path, 'its list of checkpoints does not fit its blocks');
    }
    this.#texts = Buffer.from(texts.written);
  }

  get memory(): number {
    return this.#texts.length + this.#textEnds.byteLength + this.#starts.byteLength;
  }

  /** The block that holds the key if any does; -1 where it lies before all. */
  blockOf(key: Buffer): number {
    let low = 0;
    let high = this.#starts.length - 1;
    // Invariant: blocks below `low` begin at or before the key, those from `high` on behind it.
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#texts.compare(key, 0, key.length, this.#textEnds[middle], this.#textEnds[middle + 1]);
      if (order <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  placeOf(block: number): { readonly start: number; readonly end: number } {
    return { start: this.#starts[block], end: this.#starts[block + 1] };
  }
}
