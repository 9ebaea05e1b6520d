import { join } from 'node:path';
import { openWarcArchive, type WarcArchive } from '../../archive/warc-archive.ts';
import { systemClock } from '../../base/clock.ts';
import type { ArchivedDocument, RecordPlace } from '../../contracts/archive.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { LastVisit } from '../../contracts/page-store.ts';
import type { StateReader } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { openPagesReader } from '../../engines/open-reader.ts';
import { defaultUrlOptions, type UrlOptions } from '../../url/url-options.ts';
import { type ArchivedVisit, archivedVisits } from './archived-visits.ts';

/** What of the record of the last run matters here. */
interface RunOfFolder {
  readonly urlOptions: UrlOptions;
  readonly duplicatesOf?: readonly string[];
}

const MOST_HOPS = 16;

/** The settled part of a crawl folder, as the index sees it; works beside a running crawl. */
export class CrawlFolderReader implements Disposable {
  readonly #state: StateReader;
  readonly #archiveFolder: string;
  #opened: WarcArchive | undefined;

  constructor(folder: string) {
    this.#state = openPagesReader(folder);
    this.#archiveFolder = join(folder, 'archive');
  }

  /** Asked for where there is a page: by then the run is recorded, also of a node that has just joined. */
  get urlOptions(): UrlOptions {
    return this.#run?.urlOptions ?? defaultUrlOptions;
  }

  get #run(): RunOfFolder | undefined {
    return this.#state.read<RunOfFolder>('run');
  }

  get #archive(): WarcArchive {
    this.#opened ??= openWarcArchive({
      folder: this.#archiveFolder,
      writerId: 'reader',
      clock: systemClock,
      software: '',
      userAgent: '',
      robots: '',
      elsewhere: (this.#run?.duplicatesOf ?? []).map((earlier) => join(earlier, 'archive')),
    });
    return this.#opened;
  }

  /** How much of each archive file belongs to settled pages, in the order of writing. */
  settledFiles(): { readonly name: string; readonly end: number }[] {
    return Array.from(this.#state.archiveFiles(), ([name, { fileEnd }]) => ({ name, end: fileEnd }));
  }

  /** URLs that wait for a visit, and those that are tried again later. */
  waiting(): { readonly queued: number; readonly later: number } {
    const { queued, later } = this.#state.queueCounts();
    return { queued, later };
  }

  /** Patterns of pages that are not to be found: `exclude` of the run that is going on, or was the last. */
  excluded(): readonly string[] {
    return this.#state.read<readonly string[]>('excluded') ?? [];
  }

  visits(file: string, from: number, to: number): AsyncGenerator<ArchivedVisit> {
    return archivedVisits(this.#archiveFolder, file, from, to);
  }

  /** Undefined for what never was a page: robots.txt, probes, links that were refused. */
  page(url: string): LastVisit | undefined {
    return this.#state.pages.lastVisit(url as CanonicalUrl);
  }

  pages(urls: readonly string[]): ReadonlyMap<string, LastVisit> {
    return this.#state.pages.lastVisits(urls as readonly CanonicalUrl[]);
  }

  /** What the last visits tell of those of the pages that were visited. */
  facts(urls: readonly string[]): ReadonlyMap<string, PageFacts> {
    return this.#state.pages.factsOf(urls as readonly CanonicalUrl[]);
  }

  /** As a browser has shown it, where one has; a document that was converted as the page that it was converted to. */
  async readAt(place: RecordPlace): Promise<ArchivedDocument | undefined> {
    const document = await this.#archive.readAt(place);
    return document === undefined ? undefined : await this.#archive.asPage(document);
  }

  /** Where the copy lies that was the newest at a time. */
  async copyOf(url: string, at: number): Promise<RecordPlace | undefined> {
    return (await this.#archive.versions(url as CanonicalUrl)).findLast(({ date }) => date <= at);
  }

  /** The main text of a copy: as stored beside it, else as its body gives it. */
  async textAt(place: RecordPlace & { readonly fileEnd?: number }): Promise<string | undefined> {
    const stored = await this.#archive.textAt(place);
    if (stored !== undefined) return stored;
    const document = await this.readAt(place);
    if (document === undefined) return undefined;
    // Loaded for the few copies without a text: a thread that searches would hold all of the extraction otherwise.
    const { textOfBody } = await import('./page-reading.ts');
    return await textOfBody(document);
  }

  /** URLs behind which another page stands. */
  aliases(): Iterable<readonly [alias: string, original: string]> {
    return this.#state.aliases();
  }

  /** Every URL that was visited, in no order of meaning. */
  visitedUrls(): Iterable<string> {
    return this.#state.visitedUrls();
  }

  /** Number of the cluster of near-duplicates that the page belongs to; 0 where it was not compared. */
  clusterOf(page: LastVisit): number {
    let facts = page.facts;
    for (let hops = 0; facts?.nearDuplicateOf !== undefined && hops < MOST_HOPS; hops++) {
      const original = this.#state.pages.lastVisit(facts.nearDuplicateOf.url)?.facts;
      if (original?.document === undefined || original.document === facts.document) break;
      facts = original;
    }
    return facts?.document ?? 0;
  }

  [Symbol.dispose](): void {
    this.#state[Symbol.dispose]();
  }
}
