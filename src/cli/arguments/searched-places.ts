import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import type { NodeRecord } from '../../contracts/state/nodes.ts';
import { nodeFolders } from '../../crawl/nodes/store-crawl.ts';
import { newestManifest } from '../../index/store/manifest.ts';
import { indexFolder } from '../../search/indexing/index-folder.ts';
import type { RemoteShards } from '../../search/shards/open-shards.ts';
import type { SearchedPlaces } from '../../search/threads/searched-indexes.ts';

/** How the nodes of a crawl are searched from here. */
export interface NodeSearch {
  /** The folder that was asked for, where it is that of a node. */
  readonly own?: string;
  /** Named where all nodes are elsewhere; it need not exist. */
  readonly dir: string;
  readonly remote: Omit<RemoteShards, 'shards'>;
}

export interface FoundPlaces {
  readonly places: SearchedPlaces;
  /** Nodes whose pages cannot be searched, by name: what to say of them. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Folders of nodes that can be read here, and the addresses of those that answer elsewhere. Throws where there is neither. */
export function placesOfNodes(nodes: readonly NodeRecord[], { own, dir, remote }: NodeSearch): FoundPlaces {
  const { here, elsewhere } = nodeFolders(nodes);
  const folders = [...new Set([...(own === undefined ? [] : [own]), ...here])];
  // A node that has stored nothing has no index yet: it is taken up when it has.
  const indexed = folders.filter((folder) => newestManifest(indexFolder(folder)) > 0);
  const shards = elsewhere.flatMap(({ name, home }) =>
    home?.search === undefined ? [] : [{ name, address: home.search }],
  );
  if (folders.length === 0 && shards.length === 0)
    throw new OrbweaverError(
      'INDEX_MISSING',
      'No node of this crawl has its folder on this machine, or answers searches.',
      {
        remedy:
          'Let nodes answer with --search-address (orbweaver node --search-only where they have ended), or search on a machine that has a folder; "orbweaver cluster --json" tells where they are.',
      },
    );
  const missing = new Map(
    elsewhere.flatMap(({ name, pages, home }) => {
      const where = home === undefined ? '' : `, in ${home.folder} on ${home.machine}`;
      return home?.search === undefined ? [[name, `Not searched: ${pages} pages of the node ${name}${where}.`]] : [];
    }),
  );
  // Where nothing can be searched, whoever opens the folder tells what to do.
  const [folder = join(dir, 'elsewhere'), ...also] = indexed.length > 0 || shards.length > 0 ? indexed : folders;
  return { places: { folder, also, ...(shards.length === 0 ? {} : { remote: { ...remote, shards } }) }, missing };
}
