import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../base/clock.ts';
import type { LastVisit } from '../../../contracts/page-store.ts';
import type { SearchIndex } from '../../../contracts/search-index.ts';
import type { FollowerStep } from '../archive-follower.ts';
import type { ArchivedVisit } from '../archived-visits.ts';
import { CrawlFolderReader } from '../crawl-folder-reader.ts';
import { ExcludedPages } from '../excluded-pages.ts';
import { FollowedPlace } from '../followed-place.ts';
import { indexedPage, isSearchable } from '../indexed-page.ts';
import { digestOf, mediaDocument } from './media-document.ts';
import type { MediaStore, ShowingPage } from './media-store.ts';
import { readMedia } from './read-media.ts';

export interface MediaFollowerParts {
  /** The crawl folder. */
  readonly folder: string;
  readonly index: SearchIndex;
  readonly store: MediaStore;
  readonly clock: Clock;
}

const COMMIT_MS = 2000;
const COMMIT_VISITS = 2000;
/** Publishers say so where their pictures are not to be found by themselves. */
const NO_IMAGES = /\bnoimageindex\b/i;

/**
 * Follows the archive of a crawl like the index of its pages does, and keeps a document for each picture, film and sound that a page
 * shows. The index is committed first, then what it was made of with the place: what is taken twice is the same.
 */
export class MediaFollower implements Disposable {
  readonly #parts: MediaFollowerParts;
  readonly #reader: CrawlFolderReader;
  readonly #place: FollowedPlace;
  readonly #excluded: ExcludedPages;
  #uncommitted = 0;
  #committedAt: number;

  /** `anew`: every document of the archive is read again. */
  constructor(parts: MediaFollowerParts, anew = false) {
    this.#parts = parts;
    this.#reader = new CrawlFolderReader(parts.folder);
    const kept = parts.store.place;
    this.#place = new FollowedPlace(...(anew || kept === undefined ? [] : [kept]));
    this.#excluded = new ExcludedPages(this.#place.excluded);
    this.#committedAt = parts.clock.now();
    if (!isDeepStrictEqual(parts.index.place, kept)) this.#dropUnknown();
  }

  /**
   * The last run was cut off between its two commits: documents of which the store knows nothing leave the index. They come again with the
   * visits that are taken again, unless their page has changed since.
   */
  #dropUnknown(): void {
    const { index, store } = this.#parts;
    using snapshot = index.snapshot();
    using all = snapshot.matches({ kind: 'all' }, 1, undefined, snapshot.documents);
    for (const document of Array.from(all.documents)) {
      const { id } = snapshot.document(document);
      if (store.digest(id) === undefined) index.remove(id);
    }
    this.#uncommitted++;
  }

  /** Takes up to `limit` visits, fewer where it `isOver` before. `documents`: pages and sitemaps that say something of pictures. */
  async step(limit: number, isOver: () => boolean = () => false): Promise<FollowerStep> {
    await this.#takeExclusions();
    let visits = 0;
    let documents = 0;
    for (const { name, end } of this.#reader.settledFiles()) {
      const from = this.#place.of(name);
      if (from >= end) continue;
      for await (const visit of this.#reader.visits(name, from, end)) {
        if (visits++ >= limit || isOver()) return { documents, caughtUp: false };
        if (await this.#take(visit)) documents++;
        this.#place.advance(name, visit.next);
        this.#uncommitted++;
        if (this.#isDue()) await this.commit();
      }
      this.#place.advance(name, end);
    }
    if (this.#uncommitted > 0 && !isOver()) await this.commit();
    return { documents, caughtUp: true };
  }

  /**
   * The end of a crawl: what pages say that can no longer be found leaves the index, and so does what most pages of a host turned out to
   * show. Then no file holds anything of it.
   */
  async finish(): Promise<void> {
    while (!(await this.step(COMMIT_VISITS)).caughtUp);
    const { store, index } = this.#parts;
    for (const source of store.sources()) {
      const page = this.#reader.page(source);
      if (page === undefined || !this.#isWanted(page)) this.#renew(store.replace(source, undefined, []));
    }
    this.#renew(store.repeatedOften());
    await this.commit();
    store.sweep();
    await index.mergeAll();
  }

  async commit(): Promise<void> {
    const { index, store, clock } = this.#parts;
    const place = this.#place.toCommit();
    await index.commit(place);
    store.commit(place);
    this.#uncommitted = 0;
    this.#committedAt = clock.now();
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]();
  }

  async #take(visit: ArchivedVisit): Promise<boolean> {
    const { url, location } = visit.document;
    const page = this.#reader.page(url);
    const last = page?.facts?.location;
    // As in the index of pages: a visit that is not the last one recorded counts no more.
    if (page === undefined || last?.file !== location.file || last.offset !== location.offset) return false;
    const { store } = this.#parts;
    const document = visit.refersTo === undefined ? visit.document : await this.#reader.readAt(location);
    if (document === undefined || !this.#isWanted(page)) {
      // A file that is gone itself, where it was asked for, is found no more.
      this.#renew(new Set([...store.replace(url, undefined, []), url]));
      return false;
    }
    const { isPage, said } = await readMedia(document, this.#reader.urlOptions);
    const isMute = page.facts?.nosnippet === true;
    const shown = isMute ? said.map((item) => ({ ...item, words: '', heading: '' })) : said;
    this.#renew(store.replace(url, isPage ? showingPage(page) : undefined, shown));
    return said.length > 0;
  }

  #isWanted(page: LastVisit): boolean {
    if (page.facts?.directives.some((said) => NO_IMAGES.test(said)) === true) return false;
    return isSearchable(page) && !this.#excluded.has(page.url);
  }

  /** Makes the documents of these files again. */
  #renew(files: Iterable<string>): void {
    const { store, index } = this.#parts;
    for (const media of files) {
      const isOut = store.isRepeated(media) || this.#reader.page(media)?.outcome?.kind === 'gone';
      const showings = isOut ? [] : store.showings(media);
      const document = showings.length === 0 ? undefined : mediaDocument(media, showings);
      const digest = document === undefined ? undefined : digestOf(document);
      if (digest === store.digest(media)) continue;
      if (document === undefined) index.remove(media);
      else index.add(document);
      store.setDigest(media, digest);
    }
  }

  async #takeExclusions(): Promise<void> {
    const texts = this.#reader.excluded();
    if (this.#excluded.replace(texts) === undefined) return;
    const { store } = this.#parts;
    for (const source of store.sources())
      if (this.#excluded.has(source)) this.#renew(store.replace(source, undefined, []));
    // Those that no longer are excluded come from the archive again.
    for (const { name } of this.#reader.settledFiles()) this.#place.advance(name, 0);
    this.#place.excluded = texts;
    this.#uncommitted++;
  }

  #isDue(): boolean {
    return this.#uncommitted >= COMMIT_VISITS || Math.abs(this.#parts.clock.now() - this.#committedAt) >= COMMIT_MS;
  }
}

/** What the index of pages says of the page, for those who find its pictures. */
function showingPage(page: LastVisit): ShowingPage {
  const nothing = { urls: '', texts: '', targets: new Uint32Array(0) };
  const reading = { mediaType: '', title: '', headings: '', description: '', language: '', links: nothing };
  const { title, facts } = indexedPage(page, reading, { text: '', anchors: [], cluster: 0, rank: 0 });
  const { host, language, date, fetchedAt, spam } = facts;
  return { url: page.url, title, host, language, date, fetchedAt, spam };
}
