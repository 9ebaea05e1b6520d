import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Archive, ArchivedDocument, ArchivedVersion, RecordPlace } from '../contracts/archive.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { shippedCaptures } from './shipping/shipped-captures.ts';
import { markerOf } from './shipping/shipped-markers.ts';
import { openWarcArchive, versionOf, WarcArchive, type WarcArchiveOptions } from './warc-archive.ts';

type ReadingOptions = Omit<WarcArchiveOptions, 'folder'>;

/** A folder that is on no machine. */
const NOWHERE = join(devNull, 'archive');

/** The archives of several writers, such as the nodes of a crawl, for those who read them. No two files have the same name. */
export class ArchiveSet implements Pick<Archive, 'get' | 'textAt' | 'versions' | 'scan'> {
  readonly #archives: readonly (readonly [folder: string, archive: WarcArchive])[];
  /** Of files that lie in a store alone. */
  readonly #inStore: WarcArchive | undefined;
  readonly #shipped: WarcArchiveOptions['shipped'];

  /** Folders that are not there are left out. */
  constructor(folders: readonly string[], options: ReadingOptions) {
    const present = folders.filter((folder) => existsSync(folder));
    this.#archives = present.map((folder) => {
      // A revisit may refer to what another of the writers has stored.
      const elsewhere = [...present.filter((other) => other !== folder), ...(options.elsewhere ?? [])];
      return [folder, openWarcArchive({ ...options, folder, elsewhere })];
    });
    this.#shipped = options.shipped;
    if (options.shipped !== undefined)
      this.#inStore = new WarcArchive({
        ...options,
        folder: NOWHERE,
        elsewhere: [...present, ...(options.elsewhere ?? [])],
      });
  }

  /** Whether the file can be read: here, or in the store that it was shipped to. */
  async has(file: string): Promise<boolean> {
    return this.#of(file) !== undefined || (await this.#shipped?.read(file)) !== undefined;
  }

  async get(url: CanonicalUrl, at?: number): Promise<ArchivedDocument | undefined> {
    const [only, ...others] = this.#archives;
    if (only !== undefined && others.length === 0 && this.#shipped === undefined) return await only[1].get(url, at);
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
    return await (this.#of(place.file) ?? this.#inStore)?.readAt(place);
  }

  async textAt(place: RecordPlace & { readonly fileEnd?: number }): Promise<string | undefined> {
    return await (this.#of(place.file) ?? this.#inStore)?.textAt(place);
  }

  async shown(document: ArchivedDocument): Promise<ArchivedDocument> {
    return (await (this.#of(document.location.file) ?? this.#inStore)?.shown(document)) ?? document;
  }

  async asPage(document: ArchivedDocument): Promise<ArchivedDocument> {
    return (await (this.#of(document.location.file) ?? this.#inStore)?.asPage(document)) ?? document;
  }

  async versions(url: CanonicalUrl): Promise<ArchivedVersion[]> {
    const all = await Promise.all(this.#archives.map(([, archive]) => archive.versions(url)));
    return [...all.flat(), ...(await this.#versionsInStore(url))].sort((a, b) => a.date - b.date);
  }

  async #versionsInStore(url: CanonicalUrl): Promise<ArchivedVersion[]> {
    if (this.#shipped === undefined) return [];
    const files = (await this.#shipped.files()).filter((file) => this.#of(file) === undefined);
    return (await shippedCaptures(url, files, this.#shipped)).map(versionOf);
  }

  /** One writer after the other. */
  async *scan(): AsyncGenerator<ArchivedDocument> {
    for (const [, archive] of this.#archives) yield* archive.scan();
  }

  #of(file: string): WarcArchive | undefined {
    const isIn = (folder: string): boolean =>
      existsSync(join(folder, file)) || existsSync(join(folder, markerOf(file)));
    return this.#archives.find(([folder]) => isIn(folder))?.[1];
  }
}
