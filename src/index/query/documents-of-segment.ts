import type { ColumnBuffers } from './column-buffers.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** Those of a snapshot's documents that are in one segment, by their numbers there; they stay until the next call. */
export function documentsOfSegment(
  documents: ArrayLike<number>,
  { segment, base }: SearchedSegment,
  buffers: ColumnBuffers,
): Uint32Array {
  const found = buffers.documents(documents.length);
  const end = segment.documents;
  let length = 0;
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] - base;
    if (document >= 0 && document < end) found[length++] = document;
  }
  return found.subarray(0, length);
}
