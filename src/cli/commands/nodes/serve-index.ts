import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { OrbweaverError } from '../../../base/errors.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import type { OpenCrawlOptions } from '../../../crawl/assemble.ts';
import { openCluster } from '../../../crawl/nodes/cluster-view.ts';
import { nodeOf } from '../../../crawl/nodes/node-note.ts';
import { openStateReader } from '../../../engines/open-reader.ts';
import type { ServedShard } from '../../../search/shards/serve-shard.ts';
import { untilStopped } from '../../until-stopped.ts';

type Served = Pick<Settings, 'searchAddress' | 'searchToken'>;

/** What the crawl of a node is opened with where others search its index. */
export function servedIndex(folder: string, settings: Served): Pick<OpenCrawlOptions, 'serveIndex'> {
  if (settings.searchAddress === '') return {};
  return { serveIndex: (name) => serve(folder, name, settings) };
}

/** Answers searches from the folder of a node that does not work, until Ctrl-C. */
export async function serveIndexOnly(store: string, folder: string, settings: Served): Promise<void> {
  if (settings.searchAddress === '')
    throw new OrbweaverError('USAGE', 'A node that only answers searches needs an address for that.', {
      remedy: 'Name host and port, such as --search-address 10.0.0.5:8790.',
    });
  const name = nodeNameOf(folder);
  await using shard = await serve(folder, name, settings);
  await using cluster = await openCluster(store);
  const { nodes } = await cluster.nodes.view();
  const own = nodes.find((node) => node.name === name);
  if (own === undefined) throw notANode(folder);
  if (own.isAlive)
    throw new OrbweaverError('FOLDER_IN_USE', `The node ${name} is at work.`, {
      remedy: 'Start it with --search-address: it answers searches while it works.',
    });
  const { name: _name, isAlive: _isAlive, isDraining: _isDraining, lagMs: _lagMs, ...report } = own;
  const stopped = untilStopped();
  const home = { machine: hostname(), folder: resolve(folder) };
  await cluster.nodes.announce(name, { ...report, home: { ...home, search: shard.address } });
  process.stdout.write(`${shard.address}\n`);
  process.stderr.write(`The index of the node ${name} can be searched at ${shard.address}. Ctrl-C ends it.\n`);
  await stopped;
  await cluster.nodes.announce(name, { ...report, home });
}

async function serve(folder: string, node: string, { searchAddress, searchToken }: Served): Promise<ServedShard> {
  const { serveShard } = await import('../../../search/shards/serve-shard.ts');
  return await serveShard({ folder, node, address: searchAddress, token: searchToken });
}

function nodeNameOf(folder: string): string {
  using home = openStateReader(folder);
  const node = nodeOf(home);
  if (node === undefined) throw notANode(folder);
  return node.name;
}

function notANode(folder: string): OrbweaverError {
  return new OrbweaverError('SETTING_INVALID', `${folder} is not the folder of a node of this crawl.`, {
    remedy: 'Name the folder of a node with --folder, and its database with --store.',
  });
}
