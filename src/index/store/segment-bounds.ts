import { FIELDS } from '../fields.ts';
import type { CodeTable } from '../format/code-table.ts';
import type { PostingBounds } from '../format/dense-codes.ts';
import { byteOfBound } from '../format/quantise.ts';
import type { PostingWeigher } from '../query/score-model.ts';

const BODY = FIELDS.indexOf('body');
/** Bounds of this many codes are kept: nearly all postings have one of them. */
const KEPT = 16;

/** Tells bounds of the weights of postings of a segment. Most are of one field alone, and those of a length and a code are all the same. */
export class SegmentBounds implements PostingBounds {
  readonly #weigher: PostingWeigher;
  readonly #bodyOnly: Float64Array;
  readonly #bodyLengths: Uint8Array;
  /** By code and length; 0: not told yet. */
  readonly #kept = new Uint8Array(KEPT * 256);

  constructor(weigher: PostingWeigher, codes: CodeTable, lengths: readonly Uint8Array[]) {
    this.#weigher = weigher;
    this.#bodyOnly = codes.bodyOnly;
    this.#bodyLengths = lengths[BODY];
  }

  byteOf(document: number, code: number): number {
    if (code >= KEPT || this.#bodyOnly[code] < 0) return this.#tell(document, code);
    const at = code * 256 + this.#bodyLengths[document];
    if (this.#kept[at] === 0) this.#kept[at] = this.#tell(document, code);
    return this.#kept[at];
  }

  #tell(document: number, code: number): number {
    return Math.max(1, byteOfBound(this.#weigher.weigh(document, code)));
  }
}
