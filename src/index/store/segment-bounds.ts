import { FIELDS } from '../fields.ts';
import type { CodeTable } from '../format/code-table.ts';
import { KEPT_CODES, type PostingBounds } from '../format/dense-codes.ts';
import { byteOfBound } from '../format/quantise.ts';
import type { PostingWeigher } from '../query/score-model.ts';

const BODY = FIELDS.indexOf('body');

/** Tells bounds of the weights of postings of a segment. Most postings are of the body alone: those of a length and a code have one bound. */
export class SegmentBounds implements PostingBounds {
  readonly kept: Uint8Array = new Uint8Array(KEPT_CODES * 256);
  readonly bodyLengths: Uint8Array;
  readonly #weigher: PostingWeigher;
  readonly #bodyOnly: Float64Array;

  constructor(weigher: PostingWeigher, codes: CodeTable, lengths: readonly Uint8Array[]) {
    this.#weigher = weigher;
    this.#bodyOnly = codes.bodyOnly;
    this.bodyLengths = lengths[BODY];
  }

  byteOf(document: number, code: number): number {
    const byte = Math.max(1, byteOfBound(this.#weigher.weigh(document, code)));
    if (code < KEPT_CODES && this.#bodyOnly[code] >= 0) this.kept[code * 256 + this.bodyLengths[document]] = byte;
    return byte;
  }
}
