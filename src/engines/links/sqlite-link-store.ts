import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { AnchorText } from '../../contracts/search-index.ts';
import type {
  EdgeOptions,
  InLink,
  LinkEdges,
  LinkedPage,
  LinkStore,
  LinkVotes,
} from '../../contracts/state/link-store.ts';
import { lockFolder } from '../folder-lock.ts';
import { storageError } from '../storage-error.ts';
import { AnchorWeights } from './anchor-weights.ts';
import { GainedLinks } from './gained-links.ts';
import { LinkBatch } from './link-batch.ts';
import { linksFolder, openLinkDatabase } from './link-database.ts';
import { type LinkEntry, NOFOLLOW, SAME_HOST } from './link-entry.ts';
import { type LinkRun, LinkRuns } from './link-runs.ts';
import { NumberedLinks } from './numbered-links.ts';
import { decodeOutLinks, eachTarget, keptLink, keptText, OutLinkEncoder } from './out-links.ts';
import { PageLinks } from './page-links.ts';
import { ReplacedVisits } from './replaced-visits.ts';
import { RunMerge, runsToMerge } from './run-merge.ts';
import { RunVotes } from './run-votes.ts';
import type { StoreMeta } from './store-meta.ts';
import {
  type CountedVisit,
  type ReadingStatements,
  readingStatements,
  type VisitRow,
  type WritingStatements,
  writingStatements,
} from './store-statements.ts';
import { TargetLinks } from './target-links.ts';
import { UrlKey } from './url-key.ts';

export interface LinkStoreOptions {
  /** For looking beside the process that writes. */
  readonly readOnly?: boolean;
  /** Links that are held in memory before they go to disk; default 1,000,000 (about 60 MB). */
  readonly batchLinks?: number;
}

/** Of a page that everybody links to, the links beyond these change nothing any more. */
const MOST_ANCHORS_READ = 10_000;
const MERGE_SLICE = 1 << 20;
/** A commit merges so many bytes for each link that it adds: enough to keep up, for a link is merged a few times. */
const MERGED_PER_LINK = 400;
const LEAST_MERGED = 8 << 20;
const IN_LINKS_AT_A_TIME = 500;
/** To look for a target in a run takes as long as to merge so many links. */
const LINKS_PER_LOOK = 32;

/** The links of a crawl with texts, by source and target (index/links). One writer, many readers; commits are atomic. */
export class SqliteLinkStore implements LinkStore {
  readonly #folder: string;
  readonly #db: DatabaseSync;
  readonly #lock: Disposable | undefined;
  readonly #readOnly: boolean;
  readonly #runs: LinkRuns;
  readonly #replaced: ReplacedVisits;
  readonly #targets: TargetLinks;
  readonly #gains: GainedLinks | undefined;
  readonly #batch: LinkBatch;
  readonly #encoder = new OutLinkEncoder();
  readonly #pageLinks = new PageLinks();
  readonly #key = new UrlKey();
  readonly #weights = new AnchorWeights();
  readonly #weigh = (bytes: Uint8Array, at: number): void => this.#weights.add(bytes, at);
  readonly #reads: ReadingStatements;
  readonly #writes: WritingStatements | undefined;
  /** Runs of links that are on disk but not committed. */
  #spilled: LinkRun[] = [];
  /** Visits that this commit will replace. */
  #replacing: number[] = [];
  #firstInBatch: number;
  #next: number;
  #merge: RunMerge | undefined;
  #turn: Promise<void> = Promise.resolve();
  #meta: StoreMeta;
  /** With what is not committed. */
  #pages: number;
  #links: number;
  #dataVersion: unknown;
  /** The page that was asked for last, where it has no links here: whoever adds it has most likely asked. */
  #unknown: string | undefined;
  #inTransaction = false;
  #isClosed = false;

  constructor(crawlFolder: string, { readOnly = false, batchLinks = 1_000_000 }: LinkStoreOptions = {}) {
    this.#folder = linksFolder(crawlFolder);
    this.#readOnly = readOnly;
    this.#db = openLinkDatabase(this.#folder, readOnly);
    try {
      this.#lock = readOnly ? undefined : lockFolder(this.#folder);
      this.#reads = readingStatements(this.#db);
      this.#writes = readOnly ? undefined : writingStatements(this.#db);
      this.#runs = new LinkRuns(this.#db, readOnly);
      this.#replaced = new ReplacedVisits(this.#db, readOnly);
      this.#targets = new TargetLinks(this.#runs, this.#replaced);
      this.#gains = readOnly ? undefined : new GainedLinks(this.#db, (hi, lo) => this.#targets.count(hi, lo));
      this.#batch = new LinkBatch(batchLinks);
      this.#meta = this.#readMeta();
      this.#pages = this.#meta.pages;
      this.#links = this.#meta.links;
      this.#next = this.#meta.visits + 1;
      this.#firstInBatch = this.#next;
    } catch (cause) {
      this.#db.close();
      throw storageError(cause, this.#folder);
    }
  }

  get place(): unknown {
    return this.#reading(() => this.#meta.place);
  }

  get pages(): number {
    return this.#reading(() => this.#meta.pages);
  }

  get links(): number {
    return this.#reading(() => this.#meta.links);
  }

  keptText(text: string): string {
    return keptText(text);
  }

  addPage(page: LinkedPage): void {
    this.#guard(() => {
      this.#begin();
      const { url, host, at, lines } = page;
      const links = page.links.map(keptLink);
      const value = this.#encoder.encode(url, links, lines);
      const fp = this.#key.set(url).signed;
      const isUnknown = url === this.#unknown;
      this.#unknown = undefined;
      const known = isUnknown ? undefined : (this.#writes!.visitOf.get(fp) as CountedVisit | undefined);
      if (known !== undefined && value.equals(known.links)) {
        this.#writes!.seenAgain.run(at, known.visit);
        return;
      }
      const before = known === undefined ? undefined : this.#forget(url, known);
      const visit = this.#next++;
      this.#writes!.addVisit.run(visit, url, host, at, value);
      this.#writes!.setVisit.run(fp, visit);
      if (known === undefined) this.#pages++;
      this.#links += links.length;
      const texts = this.#encoder.textPlaces;
      this.#pageLinks.addTo(this.#batch, { visit, host, links, targets: lines?.targets, before, value, texts });
      if (this.#batch.isFull) this.#spill();
    });
  }

  removePage(url: string): void {
    this.#guard(() => {
      this.#begin();
      const fp = this.#key.set(url).signed;
      const known = this.#writes!.visitOf.get(fp) as CountedVisit | undefined;
      if (known === undefined) return;
      this.#forget(url, known);
      this.#writes!.dropPage.run(fp);
      this.#pages--;
    });
  }

  renew(url: string): void {
    this.#begin();
    this.#gains!.renew(this.#key.set(url).signed);
  }

  /** Merges a little, in slices, before it resolves. */
  async commit(place?: unknown): Promise<void> {
    const turn = this.#turn.then(async () => {
      const added = this.#guard(() => this.#commitNow(place));
      await this.#mergeUpTo(Math.max(LEAST_MERGED, added * MERGED_PER_LINK));
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async compact(reads = Number.POSITIVE_INFINITY): Promise<void> {
    const turn = this.#turn.then(async () => {
      // In each run but one a read looks in vain, or for what it would find in one.
      if (reads * (this.#runs.all.length - 1) * LINKS_PER_LOOK <= this.#meta.links) return;
      await this.#mergeUpTo(Number.POSITIVE_INFINITY);
      if (this.#runs.all.length < 2) return;
      this.#merge = this.#mergeOf(this.#runs.all);
      await this.#mergeUpTo(Number.POSITIVE_INFINITY);
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Links to a page, oldest first. */
  async *inLinks(url: string, { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}): AsyncGenerator<InLink> {
    let last = 0;
    let sent = 0;
    while (sent < limit) {
      // Between two parts runs may be merged; links of one visit come in one part, so that none is lost or told twice.
      const part = this.#reading(() => {
        const { hi, lo } = this.#key.set(url);
        return this.#targets.list(hi, lo, last, Math.min(IN_LINKS_AT_A_TIME, limit - sent));
      });
      if (part.length === 0) return;
      last = part[part.length - 1].visit;
      for (const entry of part) {
        const row = this.#reads.visitOf.get(entry.visit) as { url: string; at: number } | undefined;
        if (row === undefined || sent === limit) continue;
        sent++;
        yield inLink(row, entry);
      }
    }
  }

  /** What a page links to, and when it was seen doing so. */
  outLinks(url: string): LinkedPage | undefined {
    return this.#reading(() => {
      const row = this.#reads.page.get(this.#key.set(url).signed) as VisitRow | undefined;
      if (row === undefined) {
        this.#unknown = url;
        return undefined;
      }
      return { url: row.url, host: row.host, at: row.at, links: decodeOutLinks(row.url, row.links) };
    });
  }

  /** Links to a page, those of pages that were visited again counted again until runs are merged. */
  linkCount(url: string): number {
    return this.#reading(() => this.#targets.count(this.#key.set(url).hi, this.#key.lo));
  }

  /** The texts of links to a page, the weightiest first. */
  anchorsFor(url: string, limit: number): readonly AnchorText[] {
    return this.#reading(() => {
      const { hi, lo } = this.#key.set(url);
      this.#targets.each(hi, lo, MOST_ANCHORS_READ, this.#weigh);
      return this.#weights.best(limit);
    });
  }

  /**
   * Visited pages that have so many new links that the index should hold them: as many again as when they were last told.
   * They are told again only when it is so again, or when no commit follows. New links are counted some commits later.
   */
  pending(limit = 1000): readonly string[] {
    return this.#guard(() => {
      this.#begin();
      return this.#gains!.take(limit);
    });
  }

  clearPending(): void {
    this.#guard(() => {
      this.#begin();
      this.#gains!.clear();
    });
  }

  /** All links as edges between numbers, for the ranks. */
  edges(options?: EdgeOptions): LinkEdges {
    return this.#guard(() => new NumberedLinks(this.#db, options));
  }

  /** The same for the one who writes. */
  votes(): LinkVotes {
    return this.#guard(() => new RunVotes(this.#db, this.#runs, this.#replaced));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#inTransaction) this.#db.exec('ROLLBACK');
    this.#db.close();
    this.#lock?.[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Returns the URLs that the replaced visit had links to. */
  #forget(url: string, known: CountedVisit): Set<string> {
    const targets = new Set<string>();
    eachTarget(url, known.links, (target) => {
      targets.add(target);
      this.#links--;
    });
    this.#replacing.push(known.visit);
    return targets;
  }

  #spill(): void {
    if (this.#batch.count === 0) return;
    const draft = this.#runs.begin();
    const links = this.#batch.drainTo(draft.writer);
    this.#spilled.push(draft.finish(0, this.#firstInBatch, this.#next - 1, links));
    this.#firstInBatch = this.#next;
  }

  #commitNow(place: unknown): number {
    this.#begin();
    this.#spill();
    let added = 0;
    for (const run of this.#spilled) {
      this.#runs.publish(run, []);
      added += run.links;
    }
    for (const visit of this.#replacing) {
      this.#replaced.add(visit);
      this.#writes!.dropVisit.run(visit);
    }
    this.#replaced.save();
    this.#gains!.save();
    this.#meta = { place, pages: this.#pages, links: this.#links, visits: this.#next - 1 };
    this.#writes!.setMeta.run(JSON.stringify(this.#meta));
    this.#db.exec('COMMIT');
    this.#inTransaction = false;
    this.#spilled = [];
    this.#replacing = [];
    this.#firstInBatch = this.#next;
    return added;
  }

  async #mergeUpTo(bytes: number): Promise<void> {
    for (let left = bytes; left > 0 && !this.#isClosed; left -= MERGE_SLICE) {
      this.#merge ??= this.#nextMerge();
      if (this.#merge === undefined) return;
      // Pages may have been added in between: then the slice becomes durable with them.
      if (this.#guard(() => this.#own(() => this.#merge!.step(MERGE_SLICE)))) this.#merge = undefined;
      await setImmediate();
    }
  }

  #nextMerge(): RunMerge | undefined {
    const inputs = runsToMerge(this.#runs.all, this.#meta.links);
    return inputs.length === 0 ? undefined : this.#mergeOf(inputs);
  }

  #mergeOf(inputs: readonly LinkRun[]): RunMerge {
    return new RunMerge(this.#runs, inputs, this.#replaced, (hi, lo, links) => this.#gains!.gain(hi, lo, links));
  }

  /** A transaction of its own, unless pages are waiting in one. */
  #own<T>(work: () => T): T {
    if (this.#inTransaction) return work();
    this.#begin();
    const result = work();
    this.#db.exec('COMMIT');
    this.#inTransaction = false;
    return result;
  }

  #begin(): void {
    if (this.#inTransaction) return;
    this.#db.exec('BEGIN IMMEDIATE');
    this.#inTransaction = true;
  }

  /** A reader follows what the writer has committed, and sees one state of it while it works. */
  #reading<T>(work: () => T): T {
    return this.#guard(() => {
      if (!this.#readOnly) return work();
      this.#db.exec('BEGIN');
      try {
        const version = Object.values(this.#reads.dataVersion.get()!)[0];
        if (version !== this.#dataVersion) {
          this.#dataVersion = version;
          this.#runs.load();
          this.#replaced.load();
          this.#meta = this.#readMeta();
        }
        return work();
      } finally {
        this.#db.exec('COMMIT');
      }
    });
  }

  #readMeta(): StoreMeta {
    const row = this.#reads.meta.get() as { value: string } | undefined;
    return row === undefined ? { pages: 0, links: 0, visits: 0 } : (JSON.parse(row.value) as StoreMeta);
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw storageError(cause, this.#folder);
    }
  }
}

function inLink({ url, at }: { url: string; at: number }, { text, flags }: LinkEntry): InLink {
  return { from: url, at, text, nofollow: (flags & NOFOLLOW) !== 0, sameHost: (flags & SAME_HOST) !== 0 };
}
