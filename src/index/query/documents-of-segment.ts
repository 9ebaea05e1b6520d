import type { ColumnBuffers } from './column-buffers.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** Those of a snapshot's documents that are in one segment, by their numbers there; they stay until the next call. */
export function documentsOfSegment(
  documents: ArrayLike<number>,
  { segment, base }: SearchedSegment,
  buffers: ColumnBuffers,
): Uint32Array {
  const found = buffers.documents(documents.length);
  return found.subarray(0, select(documents, base, segment.documents, found));
}

/**
 * The loop alone: the engine optimizes it while it runs. With anything after it that had not run by then, the optimized code
 * was given up at the end of the loop and made anew, again and again.
 */
function select(documents: ArrayLike<number>, base: number, end: number, found: Uint32Array): number {
  const count = documents.length;
  let length = 0;
  for (let at = 0; at < count; at++) {
    const document = documents[at] - base;
    if (document >= 0 && document < end) found[length++] = document;
  }
  return length;
}
