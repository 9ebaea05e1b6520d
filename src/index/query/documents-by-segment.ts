import type { ColumnBuffers } from '../memory/column-buffers.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** A snapshot's documents, for each segment by their numbers there in ascending order; they stay until the next call. */
export function documentsBySegment(
  documents: ArrayLike<number>,
  segments: readonly SearchedSegment[],
  buffers: ColumnBuffers,
): readonly Uint32Array[] {
  const found = buffers.documents(documents.length).subarray(0, documents.length);
  if (!copyAscending(documents, found)) found.sort();
  let end = 0;
  return segments.map(({ base, segment }) => {
    const first = end;
    end = renumber(found, first, base, segment.documents);
    return found.subarray(first, end);
  });
}

/** Whether they came in ascending order, as samples do. A loop alone is optimized while it runs, and stays so. */
function copyAscending(documents: ArrayLike<number>, copy: Uint32Array): boolean {
  let isAscending = true;
  let last = -1;
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at];
    if (document < last) isAscending = false;
    copy[at] = document;
    last = document;
  }
  return isAscending;
}

function renumber(found: Uint32Array, first: number, base: number, count: number): number {
  let at = first;
  for (; at < found.length && found[at] - base < count; at++) found[at] -= base;
  return at;
}
