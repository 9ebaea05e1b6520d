import { type Clock, systemClock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { Fetcher } from '../../contracts/fetcher.ts';
import { isFileUrl } from '../../url/file-url.ts';
import type { CrawlReader } from '../report/crawl-reader.ts';
import { openFileFetcher } from './open-file-fetcher.ts';

/** A file as it is now. */
export interface LocalFile {
  readonly mediaType: string;
  readonly body: Uint8Array;
}

export interface LocalFileReaderParts {
  readonly folder: string;
  /** What counts where no run has left word of its own. */
  readonly settings: Settings;
  readonly crawl: Pick<CrawlReader, 'explain' | 'seeds' | 'filesSettings'>;
  readonly clock?: Clock;
}

/** It is held in memory while it is sent; whole or not at all. */
const LARGEST = 256 * 2 ** 20;

/** Reads the files behind results of a search: those that the crawl holds, by the rules that its last run has read them by, flags included. */
export class LocalFileReader {
  readonly #crawl: Pick<CrawlReader, 'explain' | 'seeds'>;
  readonly #fetcher: Fetcher;

  constructor({ folder, settings, crawl, clock = systemClock }: LocalFileReaderParts) {
    this.#crawl = crawl;
    const filesSettings = () => ({ ...settings, ...crawl.filesSettings });
    this.#fetcher = openFileFetcher({ folder, settings, clock, seeds: () => crawl.seeds, filesSettings });
  }

  /** Undefined where it is no file of the crawl, or cannot be read now. */
  async read(url: string): Promise<LocalFile | undefined> {
    if (!isFileUrl(url)) return undefined;
    const { page } = await this.#crawl.explain(url);
    const kind = page?.outcome?.kind;
    if (page === undefined || (kind !== 'stored' && kind !== 'duplicate' && kind !== 'unchanged')) return undefined;
    const result = await this.#fetcher.fetch({ url: page.url, maxBytes: LARGEST });
    if (result.kind !== 'response' || result.head.status !== 200 || result.truncated !== undefined) return undefined;
    return { mediaType: result.head.header('content-type') ?? 'application/octet-stream', body: result.body };
  }
}
