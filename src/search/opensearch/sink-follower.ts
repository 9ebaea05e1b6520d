import type { IndexedDocument } from '../../contracts/search-index.ts';
import { CrawlFolderReader } from '../indexing/crawl-folder-reader.ts';
import { ExcludedPages } from '../indexing/excluded-pages.ts';
import { isSearchable } from '../indexing/indexed-page.ts';
import { VisitTaker } from '../indexing/visit-taker.ts';
import type { BulkSender, RejectedDocument } from './bulk-sender.ts';
import { openRemoteIndex } from './open-remote-index.ts';
import type { OpenSearchClient } from './opensearch-client.ts';
import type { Patience } from './patience.ts';
import { remoteUrls } from './remote-urls.ts';
import { idOf, sentDocument } from './sent-document.ts';
import type { SinkPlaceKeeper } from './sink-place.ts';

export interface SinkFollowerParts {
  /** The crawl folder. */
  readonly folder: string;
  readonly client: OpenSearchClient;
  readonly sender: BulkSender;
  readonly patience: Patience;
  readonly keeper: SinkPlaceKeeper;
  /** Told of each document that the server will not have. */
  readonly onRejected?: (url: string, why: string) => void;
}

/**
 * Follows the archive of a crawl as the search index does, and sends what counts: documents of pages as they were visited last, deletions
 * of those that are no longer to be found. How far it has come is written down after the server has taken it; what a kill makes come
 * twice changes nothing, for every operation has the time of its visit as its version.
 */
export class SinkFollower implements Disposable {
  readonly #parts: SinkFollowerParts;
  readonly #reader: CrawlFolderReader;
  readonly #excluded: ExcludedPages;
  readonly #taker: VisitTaker;
  #archive: Map<string, number>;
  rejected = 0;

  constructor(parts: SinkFollowerParts) {
    const { folder, keeper } = parts;
    this.#parts = parts;
    this.#reader = new CrawlFolderReader(folder);
    this.#excluded = new ExcludedPages(keeper.place.excluded);
    this.#archive = new Map();
    this.#taker = new VisitTaker({
      ...{ reader: this.#reader, rankOf: () => 0, excluded: this.#excluded },
      index: { add: (document) => this.#add(document), remove: (url) => this.#remove(url) },
      links: { set: () => {}, clear: () => {}, fold: () => {}, anchorsTo: () => [] },
    });
  }

  /** Makes the index where there is none, and begins where the last run left off; from the beginning where the index is another one. */
  async begin(): Promise<void> {
    const { client, patience, keeper } = this.#parts;
    const indexId = await patience.keepTrying(() => openRemoteIndex(client));
    if (keeper.place.indexId !== indexId) keeper.write({ indexId, archive: {}, isStale: keeper.place.isStale });
    this.#archive = new Map(Object.entries(keeper.place.archive));
    if (keeper.place.isStale) await this.removeStale();
    const before = keeper.rejected();
    if (before.length === 0) return;
    for (const url of new Set(before.map((one) => one.url))) {
      if (!(await this.#taker.takeAgain(url))) this.#remove(url);
    }
    const rejected = await this.#parts.sender.flush();
    this.#tell(rejected);
    keeper.replaceRejected(rejected);
  }

  /** Takes up to `limit` visits, fewer where it `isOver` before. True: all that was settled when it began has been sent. */
  async step(limit: number, isOver: () => boolean = () => false): Promise<boolean> {
    await this.#takeExclusions();
    let visits = 0;
    for (const { name, end } of this.#reader.settledFiles()) {
      const from = this.#from(name, end);
      if (from >= end) continue;
      for await (const visit of this.#reader.visits(name, from, end)) {
        if (visits++ >= limit || isOver()) {
          await this.#flush();
          return false;
        }
        await this.#taker.take(visit, 'documents');
        this.#archive.set(name, visit.next);
        if (this.#parts.sender.isFull) await this.#flush();
      }
      this.#archive.set(name, end);
    }
    if (visits > 0) await this.#flush();
    return true;
  }

  /** Documents of this folder whose pages are gone, or are not to be found any more, leave the index. Returns how many. */
  async removeStale(): Promise<number> {
    const { client, patience, keeper, sender } = this.#parts;
    const { source, indexId } = keeper.place;
    let removed = 0;
    for await (const { url, version } of remoteUrls(client, patience, { source, indexId })) {
      const page = this.#reader.page(url);
      if (page !== undefined && isSearchable(page) && !this.#excluded.has(url)) continue;
      // As of the visit that it follows from; what nothing is known of goes as it stands there.
      sender.add({ kind: 'delete', id: idOf(url), url, version: Math.max(versionOf(page?.visitedAt), version) });
      removed++;
      if (sender.isFull) await this.#flush();
    }
    await this.#flush();
    if (keeper.place.isStale) keeper.write({ isStale: false });
    return removed;
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]();
  }

  /** A file that is shorter than what was sent of it is another one: pages were deleted from it. */
  #from(name: string, end: number): number {
    const from = this.#archive.get(name) ?? 0;
    return from > end ? 0 : from;
  }

  /** Where other pages are excluded than before, those leave the index, and those that no longer are return from the archive. */
  async #takeExclusions(): Promise<void> {
    const texts = this.#reader.excluded();
    const before = this.#excluded.replace(texts);
    if (before === undefined) return;
    for (const url of this.#reader.visitedUrls()) {
      if (before.has(url) === this.#excluded.has(url)) continue;
      if (this.#excluded.has(url)) this.#remove(url);
      else await this.#taker.takeAgain(url);
      if (this.#parts.sender.isFull) await this.#flush();
    }
    await this.#flush();
    this.#parts.keeper.write({ excluded: texts });
  }

  #add(document: IndexedDocument): void {
    const { sender, keeper } = this.#parts;
    const version = versionOf(this.#reader.page(document.id)?.visitedAt);
    const sent = sentDocument(document, keeper.place.source);
    sender.add({ kind: 'index', id: idOf(document.id), url: document.id, version, document: sent });
  }

  #remove(url: string): void {
    const page = this.#reader.page(url);
    // Forgotten meanwhile: what stands there is found by `removeStale`.
    if (page === undefined) return;
    this.#parts.sender.add({ kind: 'delete', id: idOf(url), url, version: versionOf(page.visitedAt) });
  }

  /** What was sent is taken by the server, then written down: never the other way round. */
  async #flush(): Promise<void> {
    const { sender, keeper } = this.#parts;
    const rejected = await sender.flush();
    this.#tell(rejected);
    keeper.addRejected(rejected);
    keeper.write({ archive: Object.fromEntries(this.#archive) });
  }

  #tell(rejected: readonly RejectedDocument[]): void {
    this.rejected += rejected.length;
    for (const { url, why } of rejected) this.#parts.onRejected?.(url, why);
  }
}

function versionOf(visitedAt: number | undefined): number {
  return Math.max(0, Math.trunc(visitedAt ?? 0));
}
