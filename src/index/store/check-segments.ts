import { statSync } from 'node:fs';
import { newestManifest, readManifest } from './manifest.ts';
import { PostingsCache } from './postings-cache.ts';
import type { Segment } from './segment.ts';
import { SEGMENT_PARTS, segmentPath } from './segment-path.ts';
import { openState } from './segment-state.ts';

export interface CheckedSegments {
  /** A sentence for each segment that cannot be used. */
  readonly faults: readonly string[];
  readonly documents: number;
  /** What the last commit was told of where it stands. */
  readonly place: unknown;
}

/**
 * Opens every segment that the newest manifest names and compares its files with what it says of them. Segments have no
 * checksums: a flipped bit in the postings is not seen.
 */
export function checkSegments(folder: string): CheckedSegments {
  const manifest = readWholeManifest(folder);
  if (manifest === undefined)
    return { faults: ['The manifest of the search index cannot be read.'], documents: 0, place: undefined };
  const cache = new PostingsCache(0);
  const faults: string[] = [];
  let documents = 0;
  for (const named of manifest.segments) {
    try {
      const { segment, deletions } = openState(folder, named, cache, undefined);
      try {
        const fault = faultOf(folder, segment);
        if (fault !== undefined) faults.push(`Segment ${named.name} of the search index is damaged: ${fault}.`);
        documents += segment.documents - deletions.count;
      } finally {
        segment.release();
      }
    } catch (error) {
      faults.push(`Segment ${named.name} of the search index cannot be opened: ${(error as Error).message}`);
    }
  }
  return { faults, documents, place: manifest.place };
}

function readWholeManifest(folder: string) {
  try {
    return readManifest(folder, newestManifest(folder));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What does not fit together in the files of a segment; undefined where all does. */
export function faultOf(folder: string, segment: Segment): string | undefined {
  const { pairs } = segment.head;
  const pairsEnd = pairs === undefined ? 0 : pairs.at + pairs.length;
  const ends = { postings: 0, positions: pairsEnd, strings: segment.stringBytes, documents: segment.headBytes };
  let terms = 0;
  for (const { postingsAt, postingsLength, positionsAt, positionsLength } of segment.written.from('')) {
    ends.postings = Math.max(ends.postings, postingsAt + postingsLength);
    ends.positions = Math.max(ends.positions, positionsAt + positionsLength);
    terms++;
  }
  if (terms !== segment.head.terms) return `it holds ${terms} of ${segment.head.terms} terms`;
  const wrong = SEGMENT_PARTS.find((part) => statSync(segmentPath(folder, segment.name, part)).size !== ends[part]);
  return wrong === undefined ? undefined : `its ${wrong} have a wrong length`;
}
