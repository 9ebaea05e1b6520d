import { systemClock } from '../../../base/clock.ts';
import { NewestManifest } from '../../../index/store/newest-manifest.ts';
import type { TextCopy, TextSource } from '../../text-source.ts';
import { indexFolder } from '../index-folder.ts';
import { type FedSource, isOnThisMachine, readMaster } from './master-place.ts';
import { isThere } from './source-index.ts';

/** The texts of a crawl folder, which knows when its pages were visited. */
export interface FolderTextSource extends TextSource, Disposable {
  /** Of those of the documents that it holds, when they were visited last; 0 where that is not known. */
  visitedAt(ids: readonly string[]): ReadonlyMap<string, number>;
}

/** The texts of a master index lie in the folders that it is fed from, as far as they are still where they were. */
export class MasterTexts implements TextSource, Disposable {
  readonly #folder: string;
  readonly #open: (folder: string) => FolderTextSource;
  readonly #newest: NewestManifest;
  readonly #opened = new Map<string, FolderTextSource>();
  #known: { readonly manifest: number; readonly sources: readonly FedSource[] } = { manifest: 0, sources: [] };

  constructor(folder: string, open: (folder: string) => FolderTextSource) {
    this.#folder = folder;
    this.#open = open;
    this.#newest = new NewestManifest(indexFolder(folder), systemClock.now);
  }

  async texts(copies: readonly TextCopy[]): Promise<readonly (string | undefined)[]> {
    const owners = this.#ownersOf(copies);
    const texts: (string | undefined)[] = copies.map(() => undefined);
    for (const owner of new Set(owners)) {
      if (owner === undefined) continue;
      const places = [...copies.keys()].filter((at) => owners[at] === owner);
      const found = await owner.texts(places.map((at) => copies[at]));
      for (const [number, at] of places.entries()) texts[at] = found[number];
    }
    return texts;
  }

  async description(id: string, fetchedAt?: number): Promise<string | undefined> {
    const [owner] = this.#ownersOf([{ id, ...(fetchedAt === undefined ? {} : { fetchedAt }) }]);
    return await owner?.description?.(id, fetchedAt);
  }

  [Symbol.dispose](): void {
    for (const source of this.#opened.values()) source[Symbol.dispose]();
    this.#opened.clear();
  }

  /**
   * For each copy the folder that it came from: the one whose last visit is that of the copy. Where a page was visited again since, one
   * that has a later visit: it may hold the earlier copy, too.
   */
  #ownersOf(copies: readonly TextCopy[]): (FolderTextSource | undefined)[] {
    const ids = copies.map(({ id }) => id);
    const candidates = this.#sources().map((source) => ({ source, visited: source.visitedAt(ids) }));
    return copies.map(({ id, fetchedAt = 0 }) => {
      const holding = candidates.filter(({ visited }) => visited.has(id));
      const timeOf = ({ visited }: (typeof holding)[number]): number => visited.get(id) ?? 0;
      const found =
        holding.find((one) => timeOf(one) === fetchedAt) ??
        holding.find((one) => timeOf(one) > fetchedAt) ??
        holding.find((one) => timeOf(one) === 0);
      return found?.source;
    });
  }

  #sources(): FolderTextSource[] {
    const manifest = this.#newest.number();
    if (manifest !== this.#known.manifest) this.#known = { manifest, sources: readMaster(this.#folder)?.sources ?? [] };
    return this.#known.sources.filter(isOnThisMachine).flatMap(({ folder }) => {
      const known = this.#opened.get(folder);
      if (known !== undefined) return [known];
      if (!isThere(folder)) return [];
      const opened = this.#open(folder);
      this.#opened.set(folder, opened);
      return [opened];
    });
  }
}
