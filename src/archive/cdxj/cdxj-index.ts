import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { surtOf } from '../../url/surt.ts';
import { cdxjOf, parseArchiveFileName, sortedCdxjOf } from '../archive-file-name.ts';
import { isMissing } from '../shipping/archive-bytes.ts';
import { type Capture, parseCdxj, REVISIT_MIME } from './cdxj-line.ts';
import { hasSortedCdxj } from './cdxj-sort.ts';
import { searchSortedCdxj } from './sorted-cdxj.ts';
import { UnsortedCdxj } from './unsorted-cdxj.ts';

/** Captures by URL, from the index files alone: the archive can be read without the state of the crawl. */
export class CdxjIndex {
  readonly #folder: string;
  /** Of files that have no sorted copy yet. */
  readonly #unsorted = new Map<string, UnsortedCdxj>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Every capture of the URL, oldest first; captures of the same instant in write order. */
  async captures(url: string): Promise<Capture[]> {
    const surt = surtOf(url as CanonicalUrl);
    const found: Capture[] = [];
    for (const file of await indexedFiles(this.#folder)) {
      for (const line of await this.#search(file, surt)) {
        const capture = parseCdxj(line);
        // Different URLs can share a key.
        if (capture?.url === url && !isEmptyCopy(capture)) found.push(capture);
      }
    }
    return found.sort((a, b) => a.date - b.date || compare(a.file, b.file) || a.offset - b.offset);
  }

  async #search(file: string, surt: string): Promise<string[]> {
    try {
      if (await hasSortedCdxj(this.#folder, file)) {
        this.#unsorted.delete(file);
        return await searchSortedCdxj(join(this.#folder, sortedCdxjOf(file)), surt);
      }
      let unsorted = this.#unsorted.get(file);
      if (unsorted === undefined) {
        unsorted = new UnsortedCdxj(join(this.#folder, cdxjOf(file)));
        this.#unsorted.set(file, unsorted);
      }
      return await unsorted.search(surt);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

/** Folders of early versions hold answers 304 as responses without a body: they say that nothing changed, and show nothing. */
function isEmptyCopy({ status, mime }: Capture): boolean {
  return status === 304 && mime !== REVISIT_MIME;
}

/** The files that have an index here: some may have been deleted when they were shipped. */
async function indexedFiles(folder: string): Promise<string[]> {
  const files = (await listFolder(folder)).map((name) => name.replace(/\.cdxj$/, '.warc.gz'));
  return [...new Set(files.filter((file) => parseArchiveFileName(file) !== undefined))].sort();
}

/** Our WARC files in the order of their names, which is the order of writing for each writer. */
export async function archiveFiles(folder: string): Promise<string[]> {
  return (await listFolder(folder)).filter((file) => parseArchiveFileName(file) !== undefined).sort();
}

/** The names in a folder; none where there is no folder. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
