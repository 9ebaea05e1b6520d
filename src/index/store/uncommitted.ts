import type { IndexedDocument } from '../../contracts/search-index.ts';
import type { Analyze } from '../analyze.ts';
import { idHash } from '../format/id-hash.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { IndexDisk } from './index-disk.ts';
import type { PostingsCache } from './postings-cache.ts';
import { Segment } from './segment.ts';
import { SegmentBuilder } from './segment-builder.ts';
import type { SegmentWriter } from './segment-writer.ts';
import { TermNumbers } from './term-numbers.ts';
import { PostingMemory } from './words/posting-memory.ts';

/** A segment that is written, but not yet durable nor seen. */
export interface WrittenSegment {
  readonly segment: Segment;
  readonly writer: SegmentWriter;
}

/**
 * Words and documents that are held before a segment is written: so many that merges have little to do, and so few that the memory they take
 * is worth keeping for the next segment.
 */
const HELD_WORDS = 1_800_000;
const HELD_DOCUMENTS = 50_000;

export interface UncommittedOptions {
  readonly folder: string;
  readonly analyze: Analyze;
  readonly ranking: RankingOptions;
  readonly disk: IndexDisk;
  readonly cache: PostingsCache;
  /** The name of the next segment. */
  readonly nextName: () => string;
}

/** What was added and removed since the last commit. */
export class Uncommitted {
  readonly #options: UncommittedOptions;
  #memory: PostingMemory | undefined;
  #numbers = new TermNumbers();
  /** Made for the first document: most indexes are only read. */
  #builder: SegmentBuilder | undefined;
  /** Documents of the builder by id. */
  #building = new Map<string, number>();
  #replaced = new Set<number>();
  #written: WrittenSegment[] = [];
  #gone = new Map<Segment, Set<number>>();

  constructor(options: UncommittedOptions) {
    this.#options = options;
  }

  /** Nothing was added since the last commit. */
  get isEmpty(): boolean {
    return this.#builder === undefined && this.#written.length === 0;
  }

  /** `older` are the segments that may hold an earlier version. */
  add(document: IndexedDocument, older: Iterable<Segment>): void {
    this.remove(document.id, older);
    this.#memory ??= new PostingMemory();
    this.#builder ??= new SegmentBuilder(this.#options.analyze, this.#memory, this.#numbers);
    this.#building.set(document.id, this.#builder.add(document));
    if (this.#builder.occurrences >= HELD_WORDS || this.#builder.documents >= HELD_DOCUMENTS) this.write();
  }

  remove(id: string, older: Iterable<Segment>): void {
    const building = this.#building.get(id);
    if (building !== undefined) {
      this.#replaced.add(building);
      this.#building.delete(id);
    }
    const hash = idHash(id);
    for (const segment of older) for (const document of segment.find(id, hash)) this.#bury(segment, document);
    for (const { segment } of this.#written)
      for (const document of segment.find(id, hash)) this.#bury(segment, document);
  }

  /** What is in memory becomes a segment. */
  write(): void {
    if (this.#builder === undefined) return;
    const { disk, folder, ranking, cache, nextName } = this.#options;
    const name = nextName();
    const writer = this.#builder.write(disk, folder, name, ranking);
    const segment = new Segment(folder, name, cache);
    this.#written.push({ segment, writer });
    if (this.#replaced.size > 0) this.#gone.set(segment, this.#replaced);
    this.#memory = this.#memory?.forNext();
    this.#numbers = this.#numbers.forNext();
    this.#builder = undefined;
    this.#building = new Map();
    this.#replaced = new Set();
  }

  /** Hands over everything so far; what comes from now on is for the commit after. */
  take(): { readonly written: readonly WrittenSegment[]; readonly gone: Map<Segment, Set<number>> } {
    this.write();
    const taken = { written: this.#written, gone: this.#gone };
    this.#written = [];
    this.#gone = new Map();
    return taken;
  }

  /** The commit failed: what it took is uncommitted again. */
  giveBack(taken: { readonly written: readonly WrittenSegment[]; readonly gone: Map<Segment, Set<number>> }): void {
    this.#written = [...taken.written, ...this.#written];
    for (const [segment, documents] of taken.gone) for (const document of documents) this.#bury(segment, document);
  }

  /** Documents of a segment live on under new numbers in another: so do their removals. */
  move(from: Segment, to: Segment, numbers: Int32Array): void {
    const documents = this.#gone.get(from);
    this.#gone.delete(from);
    for (const document of documents ?? []) if (numbers[document] >= 0) this.#bury(to, numbers[document]);
  }

  /** Gives up what was not committed. */
  drop(): void {
    for (const { segment, writer } of this.#written) {
      writer.close();
      segment.release();
    }
    this.#written = [];
  }

  #bury(segment: Segment, document: number): void {
    const documents = this.#gone.get(segment);
    if (documents === undefined) this.#gone.set(segment, new Set([document]));
    else documents.add(document);
  }
}
