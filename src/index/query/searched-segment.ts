import type { QueryNode } from '../../contracts/search-index.ts';
import type { Deletions } from '../store/deletions.ts';
import type { Segment } from '../store/segment.ts';
import type { PostingWeigher } from './score-model.ts';
import type { ScoredList } from './scored-list.ts';

/** A segment as a snapshot sees it. */
export interface SearchedSegment {
  readonly segment: Segment;
  readonly deletions: Deletions;
  /** Added to the numbers of its documents. */
  readonly base: number;
  readonly weigher: PostingWeigher;
  /** What the bytes of its bounds stand for (`boundShares`). */
  readonly boundShares: Float64Array;
  /** Words of several terms as they were scored: a query that finds too few with all its words asks for the same ones again. */
  readonly unions: WeakMap<QueryNode, ScoredList>;
}
