import { existsSync, rmSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import type { SearchIndex } from '../../contracts/search-index.ts';
import { openLinks } from '../../engines/open-links.ts';
import { hasState } from '../../engines/state-folder.ts';
import { type IndexDisk, nodeIndexDisk } from '../../index/store/index-disk.ts';
import { adoptIndex } from './adopt-index.ts';
import { CrawlFolderReader } from './crawl-folder-reader.ts';
import { ExcludedPages } from './excluded-pages.ts';
import { FollowedLinks } from './followed-links.ts';
import { FollowedPlace } from './followed-place.ts';
import { DocumentStore, documentStorePath } from './imports/document-store.ts';
import { indexedImport } from './imports/import-documents.ts';
import { formerLinksFolder, hasMedia, indexFolder, linksFolder, workshopFolder } from './index-folder.ts';
import { linkRanks, type RankOf } from './link-ranks.ts';
import { refuseMaster } from './master/master-place.ts';
import { lockIndexOf, openIndexOf } from './open-index.ts';
import { PageAliases } from './page-aliases.ts';
import { addTakenAliases } from './taken-aliases.ts';
import { VisitTaker, type Wanted } from './visit-taker.ts';

const COMMIT_DOCUMENTS = 20_000;

export interface RebuildReport {
  readonly documents: number;
}

export interface RebuildProgress {
  readonly pass: 'links' | 'documents';
  readonly visits: number;
}

/**
 * Rebuilds the index of a folder from the archive and the imported documents alone, beside the one that is there, and puts
 * it in its place at once. Two passes over the archive: first the links of all pages, so that every document has all its
 * anchors and its rank when its turn comes. An aborted `signal` ends it with the reason of the abort, and the index that is
 * there stays.
 */
export async function rebuildIndex(
  folder: string,
  clock: Clock,
  onProgress: (progress: RebuildProgress) => void = () => {},
  disk: IndexDisk = nodeIndexDisk,
  signal?: AbortSignal,
): Promise<RebuildReport> {
  refuseMaster(folder);
  // Held to the end: nobody else writes the index that is to be replaced.
  using _lock = lockIndexOf(folder);
  const workshop = workshopFolder(folder);
  rmSync(workshop, { recursive: true, force: true });
  try {
    let documents = 0;
    {
      await using made = await openIndexOf(workshop);
      documents += await importAgain(folder, made.index, clock, signal);
      if (hasState(folder)) documents += await indexCrawl(folder, workshop, made.index, onProgress, signal);
    }
    await adoptIndex(indexFolder(workshop), indexFolder(folder), disk);
    if (existsSync(linksFolder(workshop))) adoptLinks(workshop, folder, disk);
    if (hasState(folder) && hasMedia(folder)) {
      const { renewMedia } = await import('./media/open-media.ts');
      await renewMedia(folder, clock, signal);
    }
    return { documents };
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

async function importAgain(folder: string, index: SearchIndex, clock: Clock, signal?: AbortSignal): Promise<number> {
  if (!existsSync(documentStorePath(folder))) return 0;
  using store = new DocumentStore(folder, { readOnly: true });
  let done = 0;
  for (const document of store.all()) {
    index.add(indexedImport(document, clock.now()));
    if (++done % COMMIT_DOCUMENTS === 0) await index.commit();
    signal?.throwIfAborted();
  }
  await index.commit();
  return done;
}

async function indexCrawl(
  folder: string,
  workshop: string,
  index: SearchIndex,
  onProgress: (progress: RebuildProgress) => void,
  signal?: AbortSignal,
): Promise<number> {
  using reader = new CrawlFolderReader(folder);
  using store = openLinks(workshop);
  // Both passes go as far as the crawl had settled when the first began; the rest is followed afterwards.
  const files = reader.settledFiles();
  const ends = new Map(files.map(({ name, end }) => [name, end]));
  const aliases = new PageAliases();
  addTakenAliases(aliases, reader, (file) => ends.get(file) ?? 0);
  const links = new FollowedLinks(store, aliases);
  let ranks: RankOf = () => 0;
  const place = new FollowedPlace();
  place.excluded = reader.excluded();
  const excluded = new ExcludedPages(place.excluded);
  const taker = new VisitTaker({ reader, index, links, rankOf: (url) => ranks(url), excluded });
  const pass = async (wanted: Exclude<Wanted, 'both'>, commit: () => Promise<void>): Promise<number> => {
    let visits = 0;
    let documents = 0;
    for (const { name, end } of files) {
      for await (const visit of reader.visits(name, 0, end)) {
        signal?.throwIfAborted();
        if (await taker.take(visit, wanted)) documents++;
        if (++visits % COMMIT_DOCUMENTS === 0) await commit();
        if (visits % 1000 === 0) onProgress({ pass: wanted, visits });
      }
      place.advance(name, end);
    }
    await commit();
    return documents;
  };
  await pass('links', () => store.commit());
  await store.commit(place.toCommit());
  ranks = await linkRanks(store);
  const documents = await pass('documents', () => index.commit());
  await index.commit(place.toCommit());
  return documents;
}

/**
 * The index comes first: should it end between the two, the links are older or missing, and following takes up the
 * archive from where they end.
 */
function adoptLinks(workshop: string, folder: string, disk: IndexDisk): void {
  const links = linksFolder(folder);
  const before = formerLinksFolder(folder);
  rmSync(before, { recursive: true, force: true });
  if (existsSync(links)) disk.rename(links, before);
  disk.rename(linksFolder(workshop), links);
  rmSync(before, { recursive: true, force: true });
}
