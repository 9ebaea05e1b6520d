import type { Deletions } from '../store/deletions.ts';
import type { Segment } from '../store/segment.ts';
import type { PostingWeigher } from './score-model.ts';

/** A segment as a snapshot sees it. */
export interface SearchedSegment {
  readonly segment: Segment;
  readonly deletions: Deletions;
  /** Added to the numbers of its documents. */
  readonly base: number;
  readonly weigher: PostingWeigher;
  /** What the bytes of its bounds stand for (`boundShares`). */
  readonly boundShares: Float64Array;
}
