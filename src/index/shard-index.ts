import { type DocumentTotals, snapshotBasis, totalsOf } from './query/snapshot-basis.ts';
import { DEFAULT_RANKING } from './ranking-options.ts';
import { SegmentSnapshot } from './segment-snapshot.ts';
import { checkedDisk } from './store/checked-disk.ts';
import { Committed } from './store/committed.ts';
import { nodeIndexDisk } from './store/index-disk.ts';
import { PostingsCache } from './store/postings-cache.ts';
import type { SegmentState } from './store/segment-state.ts';

/** A committed state of an index that is a part of what is searched. */
export interface ShardState extends DocumentTotals {
  /** Names the state; never used again, also not by another process. */
  readonly version: string;
  /** Numbers of documents are below this. */
  readonly numbers: number;
}

interface HeldState {
  readonly state: ShardState;
  readonly states: readonly SegmentState[];
  /** With the totals of this state alone; keeps its segments open. */
  readonly own: SegmentSnapshot;
  /** With those of all that was searched together last. */
  together?: { readonly totals: string; readonly snapshot: SegmentSnapshot };
}

const CACHE_BYTES = 64 * 1024 * 1024;
/** A search that began with a state ends with it, though others were committed since. */
const MOST_HELD = 4;

/** An index as a part of a larger one: its words are weighed by the statistics of all parts together. */
export class ShardIndex implements Disposable {
  readonly #committed: Committed;
  readonly #id: string;
  /** The newest last. */
  readonly #held: HeldState[] = [];
  #count = 0;

  /** `id`: of this process and index, among all that ever answer for it. */
  constructor(folder: string, id: string, cacheBytes = CACHE_BYTES) {
    this.#committed = new Committed(
      folder,
      checkedDisk(nodeIndexDisk, folder, () => {}),
      new PostingsCache(cacheBytes),
    );
    this.#id = id;
  }

  /** What was committed last. */
  newest(): ShardState {
    if (this.#committed.refresh() || this.#held.length === 0) {
      const { states } = this.#committed;
      const numbers = states.reduce((sum, { segment }) => sum + segment.documents, 0);
      const state = { version: `${this.#id}.${++this.#count}`, numbers, ...totalsOf(states) };
      this.#held.push({ state, states, own: new SegmentSnapshot(snapshotBasis(states, DEFAULT_RANKING)) });
      if (this.#held.length > MOST_HELD) letGo(this.#held.shift());
    }
    return this.#held[this.#held.length - 1].state;
  }

  /** A state by its version, scored with the totals of all that is searched; undefined where it is no longer there. */
  snapshot(version: string, totals?: DocumentTotals): SegmentSnapshot | undefined {
    const held = this.#held.find(({ state }) => state.version === version);
    if (held === undefined || totals === undefined) return held?.own;
    const key = JSON.stringify(totals);
    if (held.together?.totals !== key) {
      held.together?.snapshot[Symbol.dispose]();
      const basis = snapshotBasis(held.states, DEFAULT_RANKING, totals);
      held.together = { totals: key, snapshot: new SegmentSnapshot(basis) };
    }
    return held.together?.snapshot;
  }

  /** Numbers of documents of a state are below this. */
  numbersOf(version: string): number {
    return this.#held.find(({ state }) => state.version === version)?.state.numbers ?? 0;
  }

  [Symbol.dispose](): void {
    for (const held of this.#held.splice(0)) letGo(held);
    this.#committed.close();
  }
}

function letGo(held: HeldState | undefined): void {
  held?.own[Symbol.dispose]();
  held?.together?.snapshot[Symbol.dispose]();
}
