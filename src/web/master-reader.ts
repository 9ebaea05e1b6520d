import { systemClock } from '../base/clock.ts';
import { CrawlReader } from '../crawl/report/crawl-reader.ts';
import { hasState } from '../engines/state-folder.ts';
import { NewestManifest } from '../index/store/newest-manifest.ts';
import { indexFolder } from '../search/indexing/index-folder.ts';
import { type FedSource, isOnThisMachine, readMaster } from '../search/indexing/master/master-place.ts';
import { CrawlFolderReader } from './crawl-folder-reader.ts';
import type { WebCopy, WebReader, WebVersion } from './web-reader.ts';

interface OpenedSource extends Disposable {
  readonly reader: CrawlFolderReader;
}

/**
 * The copies of a master index lie in the folders that it is fed from. Of a page in several of them those of the folder are shown that
 * visited it last, as searches find that visit.
 */
export class MasterReader implements WebReader, Disposable {
  readonly #folder: string;
  readonly #newest: NewestManifest;
  readonly #opened = new Map<string, OpenedSource>();
  #known: { readonly manifest: number; readonly sources: readonly FedSource[] } = { manifest: 0, sources: [] };

  constructor(folder: string) {
    this.#folder = folder;
    this.#newest = new NewestManifest(indexFolder(folder), systemClock.now);
  }

  /** One of the folders is enough: it may be the one that knows best. */
  async closed(url: string): Promise<boolean> {
    const closed = await Promise.all(this.#readers().map((reader) => reader.closed(url)));
    return closed.includes(true);
  }

  shownCopyOf(url: string): string | undefined {
    for (const reader of this.#readers()) {
      const copy = reader.shownCopyOf(url);
      if (copy !== undefined) return copy;
    }
    return undefined;
  }

  async versions(url: string): Promise<readonly WebVersion[]> {
    return (await this.#latest(url))?.versions ?? [];
  }

  async copy(url: string, at?: number): Promise<WebCopy | undefined> {
    return await (await this.#latest(url))?.reader.copy(url, at);
  }

  copiesAt(at: number): (url: string) => Promise<WebCopy | undefined> {
    const reads = this.#readers().map((reader) => reader.copiesAt(at));
    return async (url) => {
      for (const read of reads) {
        const copy = await read(url);
        if (copy !== undefined) return copy;
      }
      return undefined;
    };
  }

  async text(url: string, at?: number): Promise<string | undefined> {
    return await (await this.#latest(url))?.reader.text(url, at);
  }

  async comparedText(url: string, at?: number): Promise<string | undefined> {
    return await (await this.#latest(url))?.reader.comparedText(url, at);
  }

  unreadable(): string | undefined {
    const absent = this.#sources().filter((source) => !isReadable(source));
    if (absent.length === 0) return undefined;
    const places = absent.map(({ folder, machine }) => `${folder} on ${machine}`);
    return `This is a master index, and copies lie in the folders that it is fed from. These cannot be read here: ${places.join(', ')}.`;
  }

  [Symbol.dispose](): void {
    for (const source of this.#opened.values()) source[Symbol.dispose]();
    this.#opened.clear();
  }

  async #latest(
    url: string,
  ): Promise<{ readonly reader: CrawlFolderReader; readonly versions: readonly WebVersion[] } | undefined> {
    const held = await Promise.all(
      this.#readers().map(async (reader) => ({ reader, versions: await reader.versions(url) })),
    );
    const visitedAt = ({ versions }: (typeof held)[number]): number => versions.at(-1)?.date ?? 0;
    return held.filter(({ versions }) => versions.length > 0).sort((a, b) => visitedAt(b) - visitedAt(a))[0];
  }

  #readers(): CrawlFolderReader[] {
    return this.#sources()
      .filter(isReadable)
      .map(({ folder }) => {
        const known = this.#opened.get(folder);
        if (known !== undefined) return known.reader;
        const crawl = new CrawlReader(folder);
        const opened = { reader: new CrawlFolderReader(crawl), [Symbol.dispose]: () => crawl[Symbol.dispose]() };
        this.#opened.set(folder, opened);
        return opened.reader;
      });
  }

  #sources(): readonly FedSource[] {
    const manifest = this.#newest.number();
    if (manifest !== this.#known.manifest) this.#known = { manifest, sources: readMaster(this.#folder)?.sources ?? [] };
    return this.#known.sources;
  }
}

function isReadable(source: FedSource): boolean {
  return isOnThisMachine(source) && hasState(source.folder);
}
