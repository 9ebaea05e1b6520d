import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OrbweaverError } from '../base/errors.ts';
import type {
  IndexedDocument,
  IndexSnapshot,
  IndexWork,
  RefreshAllOptions,
  RefreshDocument,
  SearchIndex,
} from '../contracts/search-index.ts';
import { analysisPrint } from './analysis/analysis-print.ts';
import type { ExchangeBasis, IndexExchange } from './index-exchange.ts';
import { type SnapshotBasis, snapshotBasis } from './query/snapshot-basis.ts';
import { DEFAULT_RANKING, type RankingOptions } from './ranking-options.ts';
import {
  type Merged,
  type MergeOptions,
  prepareRefresh,
  type RefreshedIndex,
  refreshSegments,
} from './refresh-segments.ts';
import { AskedChanges } from './renewal/asked-changes.ts';
import { isRenewable } from './renewal/renew-segment.ts';
import { Renewals } from './renewal/renewals.ts';
import type { SegmentIndexOptions } from './segment-index-options.ts';
import { SegmentSnapshot } from './segment-snapshot.ts';
import { checkedDisk } from './store/checked-disk.ts';
import { Committed } from './store/committed.ts';
import { Deletions } from './store/deletions.ts';
import type { DocumentChanges, MergeInput } from './store/document-changes.ts';
import { type IndexDisk, nodeIndexDisk } from './store/index-disk.ts';
import { PostingsCache } from './store/postings-cache.ts';
import { Segment } from './store/segment.ts';
import { chooseMerge, type MergeResult, mergeSegments } from './store/segment-merge.ts';
import type { SegmentState } from './store/segment-state.ts';
import { Uncommitted } from './store/uncommitted.ts';

const CACHE_BYTES = 256 * 1024 * 1024;
const MERGE_WIDTH = 12;
/** No merge makes a segment of more documents. */
const LARGEST_SEGMENT = 8_000_000;
/**
 * Merges of fewer documents ask nobody what is said of these today: they were added a moment ago, and asking costs more than
 * writing them.
 */
const FEWEST_ASKED = 2000;
/** A commit waits for merges while there are more segments. */
const MOST_SEGMENTS = 80;

/** An own inverted index: immutable segments, committed by a manifest, merged in the background. */
export class SegmentIndex implements SearchIndex {
  readonly #options: SegmentIndexOptions;
  readonly #disk: IndexDisk;
  readonly #cache: PostingsCache;
  readonly #committed: Committed;
  readonly #uncommitted: Uncommitted;
  readonly #ranking: RankingOptions;
  #nextName: number;
  /** Segments that a commit under way has taken: documents in them can be replaced meanwhile. */
  #committing: readonly Segment[] = [];
  #basis: { readonly states: readonly SegmentState[]; readonly basis: SnapshotBasis } | undefined;
  #turn: Promise<void> = Promise.resolve();
  #merging: Promise<void> | undefined;
  #closed = false;
  /** Set while somebody else chooses what is merged. */
  #isAlone = false;
  readonly #asked: AskedChanges;
  #analysed = 0;
  #bytesWritten = 0;
  #merges = 0;

  constructor(options: SegmentIndexOptions) {
    this.#options = options;
    this.#disk = checkedDisk(options.disk ?? nodeIndexDisk, options.folder, (bytes) => {
      this.#bytesWritten += bytes;
    });
    this.#ranking = options.ranking ?? DEFAULT_RANKING;
    this.#asked = new AskedChanges(options.analyze);
    this.#cache = new PostingsCache(options.cacheBytes ?? CACHE_BYTES);
    if (!options.readOnly) mkdirSync(options.folder, { recursive: true });
    const { analyze, newId = randomUUID } = options;
    this.#committed = new Committed(options.folder, this.#disk, this.#cache, () => ({
      id: newId(),
      generation: 0,
      analysis: analysisPrint(analyze),
    }));
    this.#committed.refresh();
    this.#nextName = this.#committed.nextName;
    if (!options.readOnly) this.#committed.sweep();
    this.#uncommitted = new Uncommitted({
      folder: options.folder,
      analyze: options.analyze,
      ranking: this.#ranking,
      disk: this.#disk,
      cache: this.#cache,
      nextName: () => this.#newName(),
    });
  }

  get place(): unknown {
    return this.#committed.place;
  }

  get work(): IndexWork {
    return { analysed: this.#analysed, bytesWritten: this.#bytesWritten, merges: this.#merges };
  }

  /** Segments of the last commit. */
  get segments(): number {
    return this.#committed.states.length;
  }

  /** Documents that were replaced or removed, and are not merged away yet. */
  get deleted(): number {
    return this.#committed.states.reduce((sum, { deletions }) => sum + deletions.count, 0);
  }

  add(document: IndexedDocument): void {
    this.#mustWrite();
    this.#analysed++;
    this.#uncommitted.add(document, this.#segmentsInUse());
  }

  remove(id: string): void {
    this.#mustWrite();
    this.#uncommitted.remove(id, this.#segmentsInUse());
  }

  async commit(place?: unknown): Promise<void> {
    this.#mustWrite();
    await this.#inTurn(() => this.#commit(place));
    this.#startMerging();
    if (this.segments > MOST_SEGMENTS) await this.#merging;
  }

  /** Commits what `prepare` makes of the segments of the last commit; nothing is merged meanwhile, and nothing may wait to be committed. */
  async exchange(prepare: (basis: ExchangeBasis) => Promise<IndexExchange>): Promise<void> {
    const { folder } = this.#options;
    const open = (name: string): Segment => new Segment(folder, name, this.#cache);
    const newName = (): string => this.#newName();
    await this.#alone(() =>
      this.#inTurn(async () => {
        const { states } = this.#committed;
        await this.#exchange(await prepare({ folder, disk: this.#disk, states, newName, open }));
      }),
    );
    this.#startMerging();
  }

  snapshot(): IndexSnapshot {
    if (this.#options.readOnly) this.#committed.refresh();
    const { states } = this.#committed;
    if (this.#basis?.states !== states) this.#basis = { states, basis: snapshotBasis(states, this.#ranking) };
    return new SegmentSnapshot(this.#basis.basis);
  }

  /** Resolves when no merge is left to do. */
  async settled(): Promise<void> {
    this.#startMerging();
    await this.#merging;
  }

  refreshWith(refresh: RefreshDocument | undefined): void {
    this.#asked.refresh = refresh;
  }

  async mergeAll(): Promise<number> {
    return await this.#alone(async () => {
      let changed = 0;
      for (let isComplete = false; !isComplete; ) {
        const inputs = this.#committed.states;
        const isDue = inputs.length > 1 || inputs.some(({ deletions }) => deletions.count > 0);
        const merged = await this.#merge(inputs, (changes) => isDue || changes > 0);
        changed += merged.changes;
        isComplete = merged.isComplete;
      }
      return changed;
    });
  }

  async refreshAll(options: RefreshAllOptions = {}): Promise<number> {
    const committed = this.#committed;
    if (options.mark !== undefined) this.#asked.marks.begin(options.mark, this.#uncommitted.isEmpty);
    const index: RefreshedIndex = {
      marks: this.#asked.marks,
      prepared: this.#asked.prepared,
      get states() {
        return committed.states;
      },
      merge: (inputs, isWanted, how) => this.#merge(inputs, isWanted, how),
      prepare: (input, at, isOver) => this.#asked.prepare(input, at, isOver),
      newRenewals: () => this.#newRenewals(),
      put: (renewed) => this.#inTurn(() => this.#putRenewed(renewed)),
    };
    if (options.isPreparation !== true) return await this.#alone(() => refreshSegments(index, options));
    this.#mustWrite();
    // Segments that are merged meanwhile are not held, and nothing else is written.
    return await prepareRefresh(index, options).then(() => 0);
  }

  async refresh(ids: readonly string[], leastShare: number): Promise<readonly string[]> {
    return await this.#alone(async () => {
      const left: string[] = [];
      for (const state of this.#committed.states) {
        const { segment, deletions } = state;
        await nextTurn();
        const held = ids.filter((id) => segment.find(id).some((document) => !deletions.has(document)));
        if (held.length === 0) continue;
        if (held.length < leastShare * (segment.documents - deletions.count)) left.push(...held);
        else await this.#merge([state], (changes) => changes > 0);
      }
      return left;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // A merge that failed is no reason not to close; the commits stand without it.
    await this.#merging?.catch(() => undefined);
    await this.#turn;
    this.#uncommitted.drop();
    this.#committed.close();
  }

  async #commit(place: unknown): Promise<void> {
    const taken = this.#uncommitted.take();
    this.#committing = taken.written.map(({ segment }) => segment);
    this.#asked.marks.commit(this.#committing);
    try {
      for (const { writer } of taken.written) await writer.sync();
      const fresh = taken.written.map(({ segment }) => ({ segment, deletions: Deletions.none(segment.documents) }));
      await this.#committed.publish([...this.#committed.states, ...fresh], taken.gone, this.#nextName, place);
    } catch (error) {
      this.#uncommitted.giveBack(taken);
      throw error;
    } finally {
      this.#committing = [];
    }
  }

  #startMerging(): void {
    if (this.#merging !== undefined || this.#isAlone || this.#options.readOnly) return;
    this.#merging = this.#mergeWhileWorthwhile().finally(() => {
      this.#merging = undefined;
    });
    // A merge that fails is told by whoever waits for it; the commits stand without it.
    this.#merging.catch(() => undefined);
  }

  async #mergeWhileWorthwhile(): Promise<void> {
    while (!this.#closed && !this.#isAlone) {
      const width = this.#options.mergeWidth ?? MERGE_WIDTH;
      const inputs = chooseMerge(this.#committed.states, width, LARGEST_SEGMENT);
      if (inputs.length === 0) return;
      // Whoever merges for another purpose takes these segments along.
      const documents = inputs.reduce((sum, { segment }) => sum + segment.documents, 0);
      await this.#merge(inputs, () => true, {
        isAsked: documents >= FEWEST_ASKED,
        isOver: () => this.#isAlone,
      });
    }
  }

  /** Work that chooses for itself what is merged: nothing else is meanwhile. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#mustWrite();
    this.#isAlone = true;
    try {
      await this.#merging;
      return await work();
    } finally {
      this.#isAlone = false;
    }
  }

  /** Writes segments as one, if that is wanted when it is known how many of their documents have changed. */
  async #merge(
    inputs: readonly MergeInput[],
    isWanted: (changes: number) => boolean,
    { isAsked = true, isOver: isOverBefore, renewals, mark }: MergeOptions = {},
  ): Promise<Merged> {
    const isOver = (): boolean => this.#closed || isOverBefore?.() === true;
    return await this.#asked.with(inputs, isAsked, isOver, async (changes) => {
      const { count = 0, isComplete = true } = changes ?? {};
      if (!isOver() && isWanted(count)) {
        if (renewals !== undefined && changes !== undefined && isRenewable(inputs[0], changes))
          await renewals.renew(inputs[0].segment, changes);
        else {
          const merged = await this.#mergeHeld(inputs, changes, isOver);
          if (merged !== undefined && isComplete) this.#asked.marks.set(merged, mark);
        }
      }
      return { changes: count, isComplete: isComplete || isOver() };
    });
  }

  async #mergeHeld(
    inputs: readonly MergeInput[],
    changes: DocumentChanges | undefined,
    isOver: () => boolean,
  ): Promise<Segment | undefined> {
    const name = this.#newName();
    const work = mergeSegments(inputs, this.#disk, this.#options.folder, name, this.#ranking, changes);
    let result: MergeResult | undefined;
    while (result === undefined) {
      await nextTurn();
      if (isOver()) {
        // With that goes what is half written.
        work.return(undefined as never);
        return undefined;
      }
      const step = work.next();
      if (step.done) result = step.value;
    }
    const { writer, numbers } = result;
    await writer.sync();
    const merged = new Segment(this.#options.folder, name, this.#cache);
    const segments = inputs.map(({ segment }) => segment);
    this.#asked.marks.merge(segments, merged);
    await this.#inTurn(() => this.#replace(inputs, merged, numbers));
    this.#merges++;
    return merged;
  }

  #newRenewals(): Renewals {
    const { folder } = this.#options;
    const newName = (): string => this.#newName();
    return new Renewals({ disk: this.#disk, folder, ranking: this.#ranking, cache: this.#cache, newName });
  }

  /** Puts renewed segments in the place of those that they were made from. */
  async #putRenewed(renewed: ReadonlyMap<Segment, Segment>): Promise<void> {
    const held = new Set(this.#committed.states.map(({ segment }) => segment));
    // Of a segment that has gone from the index altogether nothing is left to be renewed.
    for (const [from, to] of renewed) if (!held.has(from)) to.release();
    const replaced = new Map([...renewed].filter(([from]) => held.has(from)));
    await this.#exchange({ replaced, arrived: [], gone: new Map(), place: this.place });
    for (const [from, to] of replaced)
      this.#uncommitted.move(
        from,
        to,
        Int32Array.from({ length: to.documents }, (_, document) => document),
      );
  }

  async #exchange({ replaced, arrived, gone, place }: IndexExchange): Promise<void> {
    const { states } = this.#committed;
    const kept = states.map(({ segment, deletions }) => ({ segment: replaced.get(segment) ?? segment, deletions }));
    try {
      await this.#committed.publish([...kept, ...arrived], gone, this.#nextName, place);
    } catch (error) {
      for (const segment of [...replaced.values(), ...arrived.map(({ segment }) => segment)]) segment.release();
      throw error;
    }
  }

  /** Puts the merged segment in the place of its parts, less what was removed from them meanwhile. */
  async #replace(inputs: readonly MergeInput[], merged: Segment, numbers: readonly Int32Array[]): Promise<void> {
    const gone = new Set<number>();
    for (const [at, input] of inputs.entries()) {
      const now = this.#committed.states.find(({ segment }) => segment === input.segment);
      for (const [document, number] of numbers[at].entries()) {
        // A segment that has gone from the index altogether had nothing left.
        if (number >= 0 && (now === undefined || now.deletions.has(document))) gone.add(number);
      }
    }
    const parts = new Set(inputs.map(({ segment }) => segment));
    const rest = this.#committed.states.filter(({ segment }) => !parts.has(segment));
    const fresh = { segment: merged, deletions: Deletions.none(merged.documents) };
    await this.#committed.publish([...rest, fresh], new Map([[merged, gone]]), this.#nextName, this.place);
    for (const [at, input] of inputs.entries()) this.#uncommitted.move(input.segment, merged, numbers[at]);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #segmentsInUse(): Segment[] {
    return [...this.#committed.states.map(({ segment }) => segment), ...this.#committing];
  }

  #newName(): string {
    return `segment-${this.#nextName++}`;
  }

  #mustWrite(): void {
    if (this.#options.readOnly || this.#closed) {
      throw new OrbweaverError('INTERNAL', 'The index was opened for reading, or is closed.');
    }
  }
}

export async function openSegmentIndex(options: SegmentIndexOptions): Promise<SegmentIndex> {
  return new SegmentIndex(options);
}
