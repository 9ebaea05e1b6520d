import type { Deletions } from '../store/deletions.ts';
import type { Segment } from '../store/segment.ts';
import type { ByteBounds } from './cursors/score-cursor.ts';
import type { PostingWeigher } from './score-model.ts';

/** A segment as a snapshot sees it. */
export interface SearchedSegment {
  readonly segment: Segment;
  readonly deletions: Deletions;
  /** Added to the numbers of its documents. */
  readonly base: number;
  readonly weigher: PostingWeigher;
  readonly bounds: ByteBounds;
}
