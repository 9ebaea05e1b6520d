import type { ByteWriter } from '../../base/byte-writer.ts';
import { ByteReader, unpackBits } from './byte-reader.ts';
import { choosePacking, HAS_EXCEPTIONS, patch, WIDTH_MASK, writePacked } from './patched-bits.ts';
import { BLOCK } from './posting-writer.ts';

/**
 * Two words are paired where one document of this many or more is expected to hold both: fewer documents are looked through for
 * the phrase sooner than a list is worth its bytes.
 */
export const PAIRED_SHARE = 20;
/** The most frequent words of a segment; more are not paired. */
export const MOST_PAIRED_WORDS = 512;

/** Whether a segment has lists for two words that are in this many of its documents. Readers ask with the share it was written with. */
export function isPaired(
  documentsOfOne: number,
  documentsOfOther: number,
  documents: number,
  share = PAIRED_SHARE,
): boolean {
  return documentsOfOne * documentsOfOther * share >= documents * documents;
}

/** What the head of a segment says of the pairs of its common words. Their rows follow the positions of the last term. */
export interface PairsHead {
  readonly words: readonly string[];
  /** The `PAIRED_SHARE` that it was written with. */
  readonly share: number;
  /** The first document of each part. Every part has a row for each word: the pairs that it begins. */
  readonly parts: readonly number[];
  /** Where the first row begins in the file of positions. */
  readonly at: number;
  readonly length: number;
}

/**
 * Writes the documents that hold a pair, and the code of how often in each field, in blocks: two widths, packed steps, packed codes.
 * `documents` ascend from `first`.
 */
export function writePair(
  out: ByteWriter,
  first: number,
  documents: Uint32Array,
  codes: Uint32Array,
  count: number,
): void {
  let last = first - 1;
  const steps = new Uint32Array(Math.min(BLOCK, count));
  for (let from = 0; from < count; from += BLOCK) {
    const held = Math.min(BLOCK, count - from);
    for (let i = 0; i < held; i++) {
      steps[i] = documents[from + i] - last - 1;
      last = documents[from + i];
    }
    const ofBlock = codes.subarray(from, from + held);
    const stepPacking = choosePacking(steps, held);
    const codePacking = choosePacking(ofBlock, held);
    out.byte(stepPacking.width | (stepPacking.exceptions > 0 ? HAS_EXCEPTIONS : 0));
    out.byte(codePacking.width | (codePacking.exceptions > 0 ? HAS_EXCEPTIONS : 0));
    writePacked(out, steps, held, stepPacking);
    writePacked(out, ofBlock, held, codePacking);
  }
}

/** Reads what `writePair` wrote. The bytes go on for 3 more behind it. */
export function readPair(
  bytes: Uint8Array,
  first: number,
  documents: Uint32Array,
  codes: Uint32Array,
  count: number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new ByteReader(bytes);
  let last = first - 1;
  for (let from = 0; from < count; from += BLOCK) {
    const held = Math.min(BLOCK, count - from);
    const stepHead = reader.byte();
    const codeHead = reader.byte();
    const steps = documents.subarray(from, from + held);
    readBlock(view, reader, stepHead, steps, held);
    for (let i = 0; i < held; i++) {
      last += steps[i] + 1;
      steps[i] = last;
    }
    readBlock(view, reader, codeHead, codes.subarray(from, from + held), held);
  }
}

function readBlock(view: DataView, reader: ByteReader, head: number, out: Uint32Array, count: number): void {
  const width = head & WIDTH_MASK;
  unpackBits(view, reader.at, width, out, count);
  reader.at += (count * width + 7) >> 3;
  if (head >= HAS_EXCEPTIONS) patch(reader, width, out);
}
