import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { HandedVisit } from '../../contracts/handed-visit.ts';
import type { SearchIndex } from '../../contracts/search-index.ts';
import type { LinkStore } from '../../contracts/state/link-store.ts';
import { CrawlFolderReader } from './crawl-folder-reader.ts';
import { documentRefresh } from './document-refresh.ts';
import { type CrawlMoment, duePreparation, type Preparation } from './due-preparation.ts';
import { ExcludedPages } from './excluded-pages.ts';
import { FollowedLinks } from './followed-links.ts';
import { FollowedPlace } from './followed-place.ts';
import { HandedRecords } from './handed/handed-records.ts';
import type { HandedVisits } from './handed/handed-visits.ts';
import { linkRanks, type RankOf } from './link-ranks.ts';
import { PageAliases } from './page-aliases.ts';
import { PendingPages } from './pending-pages.ts';
import { addTakenAliases } from './taken-aliases.ts';
import { VisitTaker } from './visit-taker.ts';

export interface ArchiveFollowerParts {
  /** The crawl folder. */
  readonly folder: string;
  readonly index: SearchIndex;
  readonly links: LinkStore;
  readonly clock: Clock;
  /** Pages as the crawl hands them over; absent where all are read from the archive. */
  readonly handed?: HandedVisits;
}

export interface FollowerStep {
  /** Taken into the index in this step. */
  readonly documents: number;
  /** Everything settled when the step began is in the index. */
  readonly caughtUp: boolean;
}

interface TakenVisit {
  /** Where the next one begins. */
  readonly next: number;
  /** Whether it gave a document. */
  readonly take: () => boolean | Promise<boolean>;
}

/** A stored page is to be found within seconds. */
const COMMIT_MS = 2000;
const COMMIT_VISITS = 4000;
/** Ranks are computed again when the pages have become this many times as many; a prior is a rough thing. */
const RANK_GROWTH = 2;
const LEAST_RANKED = 100;
/** Of more pages the segments stay as they are, in which replaced documents still count where the frequency of words does. */
const MOST_CLEANED = 200_000;
/** While pages keep coming, the end is prepared for so long at a time: those that have come meanwhile have to be taken at the end else. */
const PREPARED_AT_ONCE_MS = 500;

/**
 * Follows the archive of a crawl while it runs, in write order and only as far as it is settled. The place is part of the
 * commits: after a crash the index and its place are of one moment, so that nothing is left out and nothing counts twice.
 * The links are committed first; taking them again changes nothing.
 */
export class ArchiveFollower implements Disposable {
  readonly #parts: ArchiveFollowerParts;
  readonly #reader: CrawlFolderReader;
  readonly #records: HandedRecords | undefined;
  readonly #aliases = new PageAliases();
  readonly #links: FollowedLinks;
  readonly #taker: VisitTaker;
  readonly #place: FollowedPlace;
  readonly #excluded: ExcludedPages;
  readonly #pending: PendingPages;
  #begun = false;
  #rankOf: RankOf | undefined;
  #rankedPages = 0;
  /** Of the links of which ranks were computed last; undefined where these were not marked. */
  #rankedAt: number | undefined;
  readonly #prepared: Record<Preparation, number> = { all: 0, anchors: 0 };
  /** Where anchors are being prepared: what was prepared since this mark is. */
  #preparingSince: number | undefined;
  #isOfAnchors = false;
  #looked: CrawlMoment | undefined;
  #uncommitted = 0;
  #committedAt: number;

  constructor(parts: ArchiveFollowerParts) {
    this.#parts = parts;
    const { index, links, clock, folder, handed } = parts;
    this.#reader = new CrawlFolderReader(folder);
    this.#records = handed && new HandedRecords(this.#reader, handed);
    this.#links = new FollowedLinks(links, this.#aliases);
    const rankOf: RankOf = (url) => this.#rankOf?.(url) ?? 0;
    this.#place = new FollowedPlace(index.place, links.place);
    this.#excluded = new ExcludedPages(this.#place.excluded);
    this.#taker = new VisitTaker({
      ...{ reader: this.#reader, index, links: this.#links, rankOf, excluded: this.#excluded },
    });
    this.#pending = new PendingPages({ index, links: this.#links, taker: this.#taker, clock });
    index.refreshWith(
      documentRefresh({
        ...{ reader: this.#reader, links: this.#links, ranks: () => this.#rankOf, excluded: this.#excluded },
        isOfAnchors: () => this.#isOfAnchors,
      }),
    );
    this.#committedAt = clock.now();
  }

  /**
   * Takes up to `limit` visits, fewer where it `isOver` before. Anchors that come later reach the index with its merges.
   */
  async step(limit: number, isOver: () => boolean = () => false): Promise<FollowerStep> {
    if (!this.#begun) addTakenAliases(this.#aliases, this.#reader, (file) => this.#place.of(file));
    this.#begun = true;
    await this.#takeExclusions();
    this.#records?.forget();
    let visits = 0;
    let documents = 0;
    for (const { name, end } of this.#reader.settledFiles()) {
      const from = this.#place.of(name);
      if (from >= end) continue;
      for await (const { next, take } of this.#visits(name, from, end)) {
        if (visits++ >= limit || isOver()) return { documents, caughtUp: false };
        if (await take()) documents++;
        this.#place.advance(name, next);
        this.#uncommitted++;
        if (this.#isDue()) await this.#commit();
      }
      this.#place.advance(name, end);
    }
    if (this.#uncommitted > 0 && !isOver()) await this.#commit();
    return { documents, caughtUp: true };
  }

  /** The end of a run that another will go on from: keeps what was taken, and leaves ranks and anchors as they are. */
  async pause(): Promise<void> {
    const place = this.#place.toCommit();
    await this.#parts.links.commit(place);
    await this.#parts.index.commit(place);
  }

  /** What of the end is to be prepared now; asked after every step that has caught up. */
  nextPreparation(): Preparation | undefined {
    if (this.#preparingSince !== undefined) return 'anchors';
    const before = this.#looked;
    const now = { pages: this.#parts.links.pages, ...this.#reader.waiting() };
    this.#looked = now;
    return duePreparation({ now, before, prepared: this.#prepared });
  }

  /**
   * Does what the end of the crawl would do now, after a step that has caught up; not all of it where it `isOver` before. Most of that
   * stays as it is, and the end has to do only what does not. Of anchors it prepares a part, and the next call goes on.
   */
  async prepareEnd(isOver: () => boolean, what: Preparation = 'all'): Promise<void> {
    if (what === 'anchors') await this.#prepareAnchors(isOver);
    else {
      this.#prepared.all = this.#parts.links.pages;
      await this.#renewAll(isOver);
    }
  }

  /**
   * The end of a crawl: takes what is left, computes the ranks from all links, and has the index bring the anchors, rank and cluster of
   * every document up to date. Then the index holds what a rebuild would. Returns how many documents were changed by that.
   */
  async finish(): Promise<number> {
    while (!(await this.step(COMMIT_VISITS)).caughtUp);
    return await this.#renewAll(() => false);
  }

  async #renewAll(isOver: () => boolean): Promise<number> {
    const { index, links } = this.#parts;
    await links.compact(this.#links.changes);
    const mark = this.#links.mark();
    if (this.#rankedAt === undefined || this.#links.hasChangedSince(this.#rankedAt)) await this.#rank(mark);
    const changed = await index.refreshAll({ isClean: links.pages <= MOST_CLEANED, isOver, mark });
    if (isOver()) return changed;
    // What is said from now on is all that the next renewal has to look at.
    this.#links.forgetChanges(mark);
    this.#preparingSince = undefined;
    links.clearPending();
    await links.commit(this.#place.toCommit());
    return changed;
  }

  async #prepareAnchors(isOver: () => boolean): Promise<void> {
    const { index, links, clock } = this.#parts;
    const isFirst = this.#preparingSince === undefined;
    if (isFirst) {
      this.#prepared.anchors = links.pages;
      await links.compact(this.#links.changes);
    }
    if (isOver()) return;
    const mark = this.#links.mark();
    this.#preparingSince ??= mark;
    const begunAt = clock.now();
    const isLate = (): boolean => Math.abs(clock.now() - begunAt) >= PREPARED_AT_ONCE_MS;
    this.#isOfAnchors = true;
    try {
      const before = this.#preparingSince;
      await index.refreshAll({ isPreparation: true, isOver: () => isOver() || isLate(), mark, before });
    } finally {
      this.#isOfAnchors = false;
    }
    if (isOver() || isLate()) return;
    this.#links.forgetChanges(this.#preparingSince);
    this.#preparingSince = undefined;
    // The next look is a second away from this one, not from the one before.
    this.#looked = undefined;
  }

  [Symbol.dispose](): void {
    this.#parts.index.refreshWith(undefined);
    this.#reader[Symbol.dispose]();
  }

  /** Settled visits of a file: as handed over, or else as they lie there. */
  async *#visits(file: string, from: number, end: number): AsyncGenerator<TakenVisit> {
    const { handed } = this.#parts;
    for (let at = from; at < end; ) {
      // Nothing else in this loop may wait: what is handed over comes in at the turns of the event loop.
      await nextTurn();
      const visit = handed?.take(file, at);
      if (visit !== undefined && visit.end <= end) {
        const record = this.#records!.of(visit, end);
        yield { next: visit.end, take: () => this.#taker.takeHanded(visit, record) ?? this.#takeRead(visit) };
        at = visit.end;
        continue;
      }
      const to = handed?.nextAfter(file, at, end) ?? end;
      for await (const read of this.#reader.visits(file, at, to))
        yield { next: read.next, take: () => this.#taker.take(read, 'both') };
      at = to;
    }
  }

  async #takeRead({ file, start, end }: HandedVisit): Promise<boolean> {
    let isDocument = false;
    for await (const read of this.#reader.visits(file, start, end)) isDocument = await this.#taker.take(read, 'both');
    return isDocument;
  }

  /** Where other pages are excluded than before, those leave the index, and those that no longer are return from the archive. */
  async #takeExclusions(): Promise<void> {
    const texts = this.#reader.excluded();
    const before = this.#excluded.replace(texts);
    if (before === undefined) return;
    const { index, links } = this.#parts;
    for (const url of this.#reader.visitedUrls()) {
      if (before.has(url) === this.#excluded.has(url)) continue;
      if (this.#excluded.has(url)) index.remove(url);
      else await this.#taker.takeAgain(url);
      if (++this.#uncommitted % COMMIT_VISITS === 0) await index.commit(this.#place.toCommit());
    }
    this.#place.excluded = texts;
    await links.commit(this.#place.toCommit());
    await index.commit(this.#place.toCommit());
    this.#uncommitted = 0;
  }

  #isDue(): boolean {
    return this.#uncommitted >= COMMIT_VISITS || Math.abs(this.#parts.clock.now() - this.#committedAt) >= COMMIT_MS;
  }

  async #commit(): Promise<void> {
    const { index, links, clock } = this.#parts;
    const place = this.#place.toCommit();
    await links.commit(place);
    await index.commit(place);
    this.#uncommitted = 0;
    if (links.pages >= Math.max(LEAST_RANKED, this.#rankedPages * RANK_GROWTH)) await this.#rank();
    await this.#pending.refreshIfDue(() => this.#place.toCommit());
    this.#committedAt = clock.now();
  }

  /** `mark`: of the links as they are now. */
  async #rank(mark?: number): Promise<void> {
    this.#rankOf = await linkRanks(this.#parts.links);
    this.#rankedPages = this.#parts.links.pages;
    this.#rankedAt = mark;
  }
}
