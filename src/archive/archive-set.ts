import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Archive, ArchivedDocument, ArchivedVersion, RecordPlace } from '../contracts/archive.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { openWarcArchive, type WarcArchive, type WarcArchiveOptions } from './warc-archive.ts';

type ReadingOptions = Omit<WarcArchiveOptions, 'folder'>;

/** The archives of several writers, such as the nodes of a crawl, for those who read them. No two files have the same name. */
export class ArchiveSet implements Pick<Archive, 'get' | 'textAt' | 'versions' | 'scan'> {
  readonly #archives: readonly (readonly [folder: string, archive: WarcArchive])[];

  /** Folders that are not there are left out. */
  constructor(folders: readonly string[], options: ReadingOptions) {
    const present = folders.filter((folder) => existsSync(folder));
    this.#archives = present.map((folder) => {
      // A revisit may refer to what another of the writers has stored.
      const elsewhere = [...present.filter((other) => other !== folder), ...(options.elsewhere ?? [])];
      return [folder, openWarcArchive({ ...options, folder, elsewhere })];
    });
  }

  /** Whether the file can be read here. */
  has(file: string): boolean {
    return this.#of(file) !== undefined;
  }

  async get(url: CanonicalUrl, at?: number): Promise<ArchivedDocument | undefined> {
    const [only, ...others] = this.#archives;
    if (only !== undefined && others.length === 0) return await only[1].get(url, at);
    const newestFirst = (await this.versions(url)).toReversed();
    const byNearness =
      at === undefined ? newestFirst : newestFirst.sort((a, b) => Math.abs(a.date - at) - Math.abs(b.date - at));
    for (const version of byNearness) {
      const document = await this.readAt(version);
      if (document !== undefined) return document;
    }
    return undefined;
  }

  async readAt(place: RecordPlace): Promise<ArchivedDocument | undefined> {
    return await this.#of(place.file)?.readAt(place);
  }

  async textAt(place: RecordPlace & { readonly fileEnd?: number }): Promise<string | undefined> {
    return await this.#of(place.file)?.textAt(place);
  }

  async versions(url: CanonicalUrl): Promise<ArchivedVersion[]> {
    const all = await Promise.all(this.#archives.map(([, archive]) => archive.versions(url)));
    return all.flat().sort((a, b) => a.date - b.date);
  }

  /** One writer after the other. */
  async *scan(): AsyncGenerator<ArchivedDocument> {
    for (const [, archive] of this.#archives) yield* archive.scan();
  }

  #of(file: string): WarcArchive | undefined {
    return this.#archives.find(([folder]) => existsSync(join(folder, file)))?.[1];
  }
}
