import type { Clock } from '../base/clock.ts';
import type { CrawlState } from '../contracts/state/crawl-state.ts';
import type { NodeState, StoreView } from '../contracts/state/node-state.ts';
import type { StateReader } from '../contracts/state/state-reader.ts';
import { pagesPath } from './open-reader.ts';
import type { NodePagesToWrite } from './postgres/gather/node-pages-file.ts';
import type { Gathered } from './postgres/gather/open-store-reader.ts';
import type { StoreForgetting } from './postgres/move/forget-in-store.ts';
import type { MovedToFolder, MoveToFolder } from './postgres/move/move-to-folder.ts';
import type { MoveToStore } from './postgres/move/move-to-store.ts';
import type { NodeStoreToOpen, StoreToOpen } from './postgres/open-postgres-state.ts';

/** Opens the state of a crawl in a database; made where there is none. Loads the client of the database only then. */
export async function openStore(store: StoreToOpen): Promise<CrawlState> {
  const { openPostgresState } = await import('./postgres/open-postgres-state.ts');
  return await openPostgresState(store);
}

/** Opens the state of a crawl that several nodes share, as one of them sees it. */
export async function openNodeStore(
  store: Omit<NodeStoreToOpen, 'openJournal'> & { readonly folder: string; readonly writers: readonly string[] },
): Promise<NodeState> {
  const { openPostgresNode } = await import('./postgres/open-postgres-state.ts');
  return await openPostgresNode({
    ...store,
    openJournal: async (kept) => {
      await writePagesOfNode({ ...store, ...kept });
      const { NodePagesJournal } = await import('./postgres/node-pages-journal.ts');
      return new NodePagesJournal(pagesPath(store.folder), store.writers);
    },
  });
}

/** Opens the state of a crawl that exists for those who only look at it. */
export async function openStoreView(url: string): Promise<StoreView> {
  const { openPostgresView } = await import('./postgres/open-postgres-state.ts');
  return await openPostgresView(url);
}

export type { Gathered } from './postgres/gather/open-store-reader.ts';
export type { MovedToFolder } from './postgres/move/move-to-folder.ts';

/** Opens the state of a crawl that exists for those who read its pages; `wanted` is what they can be shown. */
export async function openStoreReader(url: string, wanted: Gathered, clock: Clock): Promise<StateReader> {
  const { openPostgresReader } = await import('./postgres/gather/open-store-reader.ts');
  return await openPostgresReader(url, wanted, clock);
}

/** Writes the pages that a node has stored into its folder, for its index. */
export async function writePagesOfNode(toWrite: NodePagesToWrite): Promise<void> {
  const { writeNodePages } = await import('./postgres/gather/node-pages-file.ts');
  await writeNodePages(toWrite);
}

/** Puts a crawl in a database together into the state of a folder. Nobody may work on it meanwhile. */
export async function moveStoreToFolder(move: MoveToFolder): Promise<MovedToFolder> {
  const { moveToFolder } = await import('./postgres/move/move-to-folder.ts');
  return await moveToFolder(move);
}

/** Copies the state of a folder into a database. Answers how many rows were moved. */
export async function moveFolderToStore(move: MoveToStore): Promise<number> {
  const { moveToStore } = await import('./postgres/move/move-to-store.ts');
  return await moveToStore(move);
}

/** Opens a crawl in a database to delete pages from it. Nobody may work on it meanwhile. */
export async function openForgettingStore(url: string, clock: Clock): Promise<StoreForgetting> {
  const { openStoreForgetting } = await import('./postgres/move/forget-in-store.ts');
  return await openStoreForgetting(url, clock);
}
