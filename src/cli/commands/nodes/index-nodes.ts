import { existsSync, rmSync } from 'node:fs';
import { systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { KeptPages } from '../../../contracts/state/node-state.ts';
import { openCluster } from '../../../crawl/nodes/cluster-view.ts';
import { nodeOf, writersOf } from '../../../crawl/nodes/node-note.ts';
import { nodeFolders } from '../../../crawl/nodes/store-crawl.ts';
import { openStateReader } from '../../../engines/open-reader.ts';
import { writePagesOfNode } from '../../../engines/open-store.ts';
import type { FollowReport } from '../../../search/indexing/follow-crawl.ts';
import { indexFolder } from '../../../search/indexing/index-folder.ts';
import { restartSink } from '../../../search/opensearch/sink-place.ts';

export interface IndexedNodes extends Pick<FollowReport, 'documents' | 'refreshed' | 'total'> {
  readonly folders: readonly string[];
  /** Names of nodes that are at work: each keeps its index by itself. */
  readonly atWork: readonly string[];
}

/** Brings the indexes of all nodes up to date whose folders can be read here; nodes that are at work do so by themselves. */
export async function indexNodes(store: string, onProgress: (documents: number) => void): Promise<IndexedNodes> {
  await using cluster = await openCluster(store);
  const { nodes } = await cluster.nodes.view();
  const resting = nodeFolders(nodes.filter(({ isAlive }) => !isAlive)).here;
  const sums = { documents: 0, refreshed: 0, total: 0 };
  for (const folder of resting) {
    const { documents, refreshed, total } = await indexNode(store, folder, (taken) =>
      onProgress(sums.documents + taken),
    );
    sums.documents += documents;
    sums.refreshed += refreshed;
    sums.total += total;
  }
  const atWork = nodes.filter(({ isAlive }) => isAlive).map(({ name }) => name);
  return { ...sums, folders: resting, atWork };
}

/** Brings the index of one node up to date: the pages whose newest copies are in its archive. All that it has fetched is settled. */
export async function indexNode(
  store: string,
  folder: string,
  onProgress: (documents: number) => void,
): Promise<FollowReport> {
  const { followCrawl } = await import('../../../search/indexing/follow-crawl.ts');
  await writePagesOf(store, folder);
  return await followCrawl(folder, { mode: 'catch-up', onProgress });
}

/** Brings what the index of a node reads of its pages up to date; those that have left it leave the index. */
export async function writePagesOf(store: string, folder: string, kept = keptPages(folder)): Promise<void> {
  using home = openStateReader(folder);
  const node = nodeOf(home);
  if (node === undefined)
    throw new OrbweaverError('SETTING_INVALID', `${folder} is not the folder of a node.`, {
      remedy: 'Leave out --store to index a crawl that is in a folder.',
    });
  await writePagesOfNode({
    ...{ url: store, folder, writers: writersOf(node), clock: systemClock },
    ...kept,
  });
}

/** What the index of a node does where its pages are not those of the database. */
export function keptPages(folder: string): KeptPages {
  return {
    onGone: async (urls) => {
      // Of an index elsewhere they are removed when it is compared with the crawl.
      if (!existsSync(indexFolder(folder))) return;
      const { removeDocuments } = await import('../../../search/indexing/remove-documents.ts');
      await removeDocuments(folder, urls);
    },
    // It is made again from the beginning of the archive.
    onSetBack: async () => {
      rmSync(indexFolder(folder), { recursive: true, force: true });
      restartSink(folder);
    },
  };
}
