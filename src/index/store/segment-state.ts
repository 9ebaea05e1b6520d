import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIELDS } from '../fields.ts';
import { lengthOfByte } from '../format/quantise.ts';
import { Deletions } from './deletions.ts';
import type { ManifestSegment } from './manifest.ts';
import type { PostingsCache } from './postings-cache.ts';
import { Segment } from './segment.ts';

/** A segment with what is gone from it. Never changed: a later state is a new one. */
export interface SegmentState {
  readonly segment: Segment;
  readonly deletions: Deletions;
  /** Name of the file that holds the deletions; undefined while there are none. */
  readonly deletionsFile: string | undefined;
  /** Lengths of the fields over all documents that are left. */
  readonly lengthSums: readonly number[];
  /** The latest date of a document. */
  readonly newest: number;
}

/** Opens what a manifest names; `open` is the segment where it is open already. */
export function openState(
  folder: string,
  named: ManifestSegment,
  cache: PostingsCache,
  open: Segment | undefined,
): SegmentState {
  open?.hold();
  const segment = open ?? new Segment(folder, named.name, cache);
  try {
    const none = Deletions.none(segment.documents);
    const deletions = named.deletions === undefined ? none : new Deletions(readFileSync(join(folder, named.deletions)));
    return stateOf(segment, deletions, named.deletions);
  } catch (error) {
    segment.release();
    throw error;
  }
}

export function stateOf(segment: Segment, deletions: Deletions, deletionsFile: string | undefined): SegmentState {
  const lengthSums = [...segment.head.lengthSums];
  let newest = 0;
  for (let document = 0; document < segment.documents; document++) {
    if (deletions.count > 0 && deletions.has(document)) {
      for (let field = 0; field < FIELDS.length; field++) {
        lengthSums[field] -= lengthOfByte(segment.columns.lengths[field][document]);
      }
    } else newest = Math.max(newest, segment.columns.number('date', document));
  }
  return { segment, deletions, deletionsFile, lengthSums, newest };
}
