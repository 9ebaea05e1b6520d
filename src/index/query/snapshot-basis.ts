import { FIELDS } from '../fields.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { SegmentState } from '../store/segment-state.ts';
import { byteBounds } from './cursors/score-cursor.ts';
import { boundFactor, fieldNorms, normTables, PostingWeigher } from './score-model.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** What all snapshots of one committed state share. */
export interface SnapshotBasis {
  readonly segments: readonly SearchedSegment[];
  /** Documents that are not deleted. */
  readonly documents: number;
  /** The latest date of a document. */
  readonly newest: number;
  readonly ranking: RankingOptions;
}

/** What scores depend on besides the words: of all documents that are searched together. */
export interface DocumentTotals {
  /** That are not deleted. */
  readonly documents: number;
  /** Lengths of the fields over all of them. */
  readonly lengthSums: readonly number[];
  /** The latest date of a document. */
  readonly newest: number;
}

export function totalsOf(states: readonly SegmentState[]): DocumentTotals {
  const lengthSums = FIELDS.map(() => 0);
  let documents = 0;
  let newest = 0;
  for (const state of states) {
    documents += state.segment.documents - state.deletions.count;
    for (const [field, sum] of state.lengthSums.entries()) lengthSums[field] += sum;
    newest = Math.max(newest, state.newest);
  }
  return { documents, lengthSums, newest };
}

/** `totals`: of these segments, or of others as well where they are a part of what is searched. */
export function snapshotBasis(
  states: readonly SegmentState[],
  ranking: RankingOptions,
  totals: DocumentTotals = totalsOf(states),
): SnapshotBasis {
  const { documents, lengthSums, newest } = totals;
  const norms = fieldNorms(ranking, lengthSums, documents);
  const tables = normTables(norms);
  let base = 0;
  const segments = states.map(({ segment, deletions }): SearchedSegment => {
    const weigher = new PostingWeigher(tables, segment.codes, segment.columns.lengths);
    const bounds = byteBounds(boundFactor(tables, segment.head.norms), ranking.k1);
    const searched = { segment, deletions, base, weigher, bounds };
    base += segment.documents;
    return searched;
  });
  return { segments, documents, newest, ranking };
}
