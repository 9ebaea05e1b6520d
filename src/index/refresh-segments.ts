import type { RefreshAllOptions } from '../contracts/search-index.ts';
import type { PreparedAnchors } from './renewal/prepared-anchors.ts';
import type { Renewals } from './renewal/renewals.ts';
import type { SegmentMarks } from './renewal/segment-marks.ts';
import type { MergeInput } from './store/document-changes.ts';
import type { Segment } from './store/segment.ts';
import type { SegmentState } from './store/segment-state.ts';

export interface MergeOptions {
  /** Whether it is asked what is said of documents today; else they stay as they are. Default: true. */
  readonly isAsked?: boolean;
  readonly isOver?: () => boolean;
  /** Renews a segment where only what is said of its documents has changed. */
  readonly renewals?: Renewals;
  /** Of what is written with what is said of documents today. */
  readonly mark?: number | undefined;
}

export interface Merged {
  /** Documents that have changed. */
  readonly changes: number;
  /** False where there were too many to be taken at once. */
  readonly isComplete: boolean;
}

/** What a refresh of all segments needs of their index. */
export interface RefreshedIndex {
  readonly states: readonly SegmentState[];
  readonly marks: SegmentMarks;
  readonly prepared: PreparedAnchors;
  merge(inputs: readonly MergeInput[], isWanted: (changes: number) => boolean, options: MergeOptions): Promise<Merged>;
  newRenewals(): Renewals;
  /** Holds the anchors of today that a segment does not. */
  prepare(input: MergeInput, mark: number, isOver: () => boolean): Promise<void>;
  /** Puts renewed segments in the place of those that they were made from. */
  put(renewed: ReadonlyMap<Segment, Segment>): Promise<void>;
}

/** Brings what is said of every document up to date; the caller sees to it that nothing else is merged. Returns how many have changed. */
export async function refreshSegments(index: RefreshedIndex, options: RefreshAllOptions): Promise<number> {
  const { isClean = false, isOver = () => false, mark } = options;
  let changed = 0;
  const outdated = isClean ? index.states.filter(({ deletions }) => deletions.count > 0) : [];
  if (outdated.length > 0) changed += (await index.merge(outdated, () => true, { isOver, mark })).changes;
  for (let isComplete = false; !isComplete && !isOver(); ) {
    isComplete = true;
    const renewals = index.newRenewals();
    try {
      for (const state of index.states) {
        if (isOver()) break;
        const refreshed = await index.merge([state], (changes) => changes > 0, { renewals, isOver, mark });
        changed += refreshed.changes;
        isComplete &&= refreshed.isComplete;
        // Where it is over, it may not have been asked for all of them.
        if (refreshed.changes > 0 || isOver()) continue;
        index.marks.set(state.segment, mark);
        index.prepared.forget(state.segment);
      }
      await renewals.durable();
    } catch (error) {
      renewals.discard();
      throw error;
    }
    if (renewals.renewed.size === 0) continue;
    // None is renewed for a part of its documents.
    for (const renewed of renewals.renewed.values()) index.marks.set(renewed, mark);
    await index.put(renewals.renewed);
  }
  index.prepared.keepOnly(new Set(index.states.map(({ segment }) => segment)));
  return changed;
}

/** Prepares a refresh: what has not changed when it comes is then not asked for again. No document changes by that. */
export async function prepareRefresh(index: RefreshedIndex, options: RefreshAllOptions): Promise<void> {
  const { isOver = () => false, mark, before = mark } = options;
  const { states, marks, prepared } = index;
  prepared.keepOnly(new Set(states.map(({ segment }) => segment)));
  if (mark === undefined || before === undefined) return;
  for (const state of states) {
    if (isOver() || !prepared.hasRoom) return;
    const { segment, deletions } = state;
    // The words of documents are held by the numbers that they have where none is left out.
    if (deletions.count > 0 || marks.isSince(segment, before) || prepared.isSince(segment, before)) continue;
    await index.prepare(state, mark, isOver);
  }
}
