import { existsSync } from 'node:fs';
import type { PastVisits } from '../contracts/crawl-order.ts';
import type { InLinkCount, LinkReader, LinkStore, ListedLinks } from '../contracts/state/link-store.ts';
import { gatherLinks } from './links/gather-links.ts';
import { inLinkCounts, type LeftOut } from './links/in-link-counts.ts';
import { linksFile, linksFolder, openLinkDatabase } from './links/link-database.ts';
import { linkedPages } from './links/linked-pages.ts';
import { PastLinks } from './links/past-links.ts';
import { SqliteLinkStore } from './links/sqlite-link-store.ts';
import { storageError } from './storage-error.ts';

export { UrlNumbering } from './links/url-numbering.ts';

/** Whether the links of the crawl in a folder were gathered. */
export function hasLinks(folder: string): boolean {
  return existsSync(linksFile(folder));
}

/** Opens the links of a crawl for writing; made where there are none. A second writer is refused. */
export function openLinks(folder: string): LinkStore {
  return new SqliteLinkStore(folder);
}

/** Looks at the links of a crawl, also beside the process that writes them. */
export function openLinkReader(folder: string): LinkReader {
  return new SqliteLinkStore(folder, { readOnly: true });
}

/**
 * How many links each page has, exactly, as of the last commit; of one page several parts may come, whose sum counts. Without those on
 * pages that are `leftOut`.
 */
export function* countInLinks(folder: string, leftOut: LeftOut): Generator<InLinkCount> {
  const db = openLinkDatabase(linksFolder(folder), true);
  try {
    yield* inLinkCounts(db, leftOut);
  } catch (cause) {
    throw storageError(cause, folder);
  } finally {
    db.close();
  }
}

/** Every page of a crawl with its links, behind the visit of a number; in slices, beside the process that writes them. */
export function* listLinks(folder: string, after = 0): Generator<ListedLinks> {
  const db = openLinkDatabase(linksFolder(folder), true);
  try {
    yield* linkedPages(db, after);
  } catch (cause) {
    throw storageError(cause, folder);
  } finally {
    db.close();
  }
}

/** Copies the links of several folders into a new store in `to`. Answers how many of them had any. */
export async function gatherNodeLinks(folders: readonly string[], to: string): Promise<number> {
  using opened = new DisposableStack();
  const from = folders.filter(hasLinks).map((folder) => ({
    reader: opened.use(openLinkReader(folder)),
    past: opened.use(new PastLinks(openLinkDatabase(linksFolder(folder), true))),
  }));
  using into = openLinks(to);
  await gatherLinks(from, into);
  return from.length;
}

/** The links page by page. Undefined where none were gathered, or where they cannot be read. */
export function openPastLinks(folder: string): (PastVisits & Disposable) | undefined {
  if (!hasLinks(folder)) return undefined;
  try {
    return new PastLinks(openLinkDatabase(linksFolder(folder), true));
  } catch {
    // Not finished, or of another version: a crawl can do without.
    return undefined;
  }
}
