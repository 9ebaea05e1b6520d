import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import type { LinkReader } from '../../contracts/state/link-store.ts';
import { gatherNodeLinks, openLinkReader } from '../../engines/open-links.ts';
import { type AskedCrawl, askedStore } from './asked-crawl.ts';

export interface AskedLinks extends Disposable {
  readonly links: LinkReader;
  /** Where they lie: the crawl folder, or one that is there for as long as they are open. */
  readonly folder: string;
}

/** The links of the folder that was asked for; or those of all nodes of a crawl whose folders can be read here, copied into one store for as long as it is open. */
export async function openAskedLinks(asked: AskedCrawl): Promise<AskedLinks> {
  const { store } = await askedStore(asked);
  if (store === undefined) {
    const links = openLinkReader(asked.dir);
    return { links, folder: asked.dir, [Symbol.dispose]: () => links[Symbol.dispose]() };
  }
  const folders = await foldersOf(store);
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-links-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    if ((await gatherNodeLinks(folders, folder)) === 0) throw noLinks('No node of this machine has gathered links.');
    const links = openLinkReader(folder);
    return {
      ...{ links, folder },
      [Symbol.dispose]: () => {
        links[Symbol.dispose]();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What is left out is told. */
async function foldersOf(store: string): Promise<readonly string[]> {
  const { openCluster } = await import('../../crawl/nodes/cluster-view.ts');
  const { nodeFolders } = await import('../../crawl/nodes/store-crawl.ts');
  await using cluster = await openCluster(store);
  const { here, elsewhere } = nodeFolders((await cluster.nodes.view()).nodes);
  if (here.length === 0) throw noLinks('No node of this crawl has its folder on this machine.');
  for (const { name, pages, home } of elsewhere)
    process.stderr.write(
      `Links left out: those of ${pages} pages of the node ${name}${home === undefined ? '' : `, in ${home.folder} on ${home.machine}`}.\n`,
    );
  return here;
}

function noLinks(message: string): OrbweaverError {
  return new OrbweaverError('INDEX_MISSING', message, {
    remedy:
      'Links are gathered with the search index: orbweaver index --store …, on the machines that have the folders of nodes ("orbweaver cluster --json" tells where they are); or put the crawl together: orbweaver migrate --from postgres://… --to DIR, then orbweaver index --dir DIR.',
  });
}
