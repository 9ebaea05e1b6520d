import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { loadSettingsFile } from '../../base/settings/load-settings-file.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { settingsPath } from '../../crawl/crawl-folder.ts';
import type { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import type { Gathered } from '../../engines/open-store.ts';
import type { RemoteShards } from '../../search/shards/open-shards.ts';

/** Which crawl a command reads. */
export interface AskedCrawl {
  readonly dir: string;
  readonly store?: string;
}

export const STORE_HELP = 'the database of a crawl of several nodes, instead of a folder; else that of ORBWEAVER_STORE';

/** Gives a command the flags that name the crawl that it reads: a folder, or a database. */
export function addCrawlOptions(command: Command): Command {
  return command
    .addOption(new Option('--dir <folder>', 'the crawl folder').default('my-crawl'))
    .option('--store <url>', STORE_HELP);
}

/**
 * Opens it. A folder that holds a whole crawl is read as such; where it is that of a node, or there is none, the database that the
 * environment names is. `wanted` is what the reader can be asked about.
 */
export async function openAskedCrawl(asked: AskedCrawl, wanted: Gathered): Promise<CrawlReader> {
  const { store, node } = await askedStore(asked);
  if (store !== undefined) {
    const { openStoreCrawl } = await import('../../crawl/nodes/store-crawl.ts');
    return await openStoreCrawl({ store, wanted, folders: node === undefined ? [] : [asked.dir], clock: systemClock });
  }
  const { CrawlReader } = await import('../../crawl/report/crawl-reader.ts');
  if (node === undefined) return new CrawlReader(asked.dir);
  throw new OrbweaverError(
    'SETTING_INVALID',
    `${asked.dir} is the folder of ${node}, a node: its crawl is in a database.`,
    { remedy: 'Name the database with --store postgres://… or with ORBWEAVER_STORE.' },
  );
}

/** What a search goes over. */
export interface SearchedPlaces {
  /** The folder that was asked for, or the first node's that can be read here; one that is not there where all are elsewhere. */
  readonly folder: string;
  /** Those of other nodes that can be read here. */
  readonly also: readonly string[];
  /** Nodes elsewhere that answer searches. */
  readonly remote?: RemoteShards;
}

/** The folder that was asked for; or all nodes of a crawl, by their folders where they can be read here, else over the network. */
export async function searchedPlaces(asked: AskedCrawl): Promise<SearchedPlaces> {
  const { store, node } = await askedStore(asked);
  if (store === undefined) return { folder: asked.dir, also: [] };
  const { openCluster } = await import('../../crawl/nodes/cluster-view.ts');
  const { nodeFolders } = await import('../../crawl/nodes/store-crawl.ts');
  await using cluster = await openCluster(store);
  const { here, elsewhere } = nodeFolders((await cluster.nodes.view()).nodes);
  const [first, ...also] = new Set([...(node === undefined ? [] : [asked.dir]), ...here]);
  const shards = elsewhere.flatMap(({ name, home }) =>
    home?.search === undefined ? [] : [{ name, address: home.search }],
  );
  if (first === undefined && shards.length === 0)
    throw new OrbweaverError(
      'INDEX_MISSING',
      'No node of this crawl has its folder on this machine, or answers searches.',
      {
        remedy:
          'Let nodes answer with --search-address (orbweaver node --search-only where they have ended), or search on a machine that has a folder; "orbweaver cluster --json" tells where they are.',
      },
    );
  for (const { name, pages, home } of elsewhere)
    if (home?.search === undefined)
      process.stderr.write(
        `Not searched: ${pages} pages of the node ${name}${home === undefined ? '' : `, in ${home.folder} on ${home.machine}`}.\n`,
      );
  const { searchToken: token, searchTimeout: timeoutMs } = await settingsOfFolder(asked.dir);
  const remote = shards.length === 0 ? {} : { remote: { shards, token, timeoutMs } };
  return { folder: first ?? join(asked.dir, 'elsewhere'), also, ...remote };
}

/** The database to be read, and the node whose folder `dir` is. Without either it is the folder. */
export async function askedStore({
  dir,
  store: given,
}: AskedCrawl): Promise<{ readonly store?: string; readonly node?: string }> {
  const { hasState } = await import('../../engines/state-folder.ts');
  const node = hasState(dir) ? await nodeOfFolder(dir) : undefined;
  const ofNode = node === undefined ? {} : { node };
  if (given === undefined && hasState(dir) && node === undefined) return {};
  const store = given ?? (await storeOf(dir));
  return store === '' ? ofNode : { store, ...ofNode };
}

async function nodeOfFolder(folder: string): Promise<string | undefined> {
  const { openStateReader } = await import('../../engines/open-reader.ts');
  const { nodeOf } = await import('../../crawl/nodes/node-note.ts');
  try {
    using state = openStateReader(folder);
    return nodeOf(state)?.name;
  } catch (error) {
    // The command meets the same fault where it reads the folder, and tells of it or repairs it.
    if (error instanceof OrbweaverError) return undefined;
    throw error;
  }
}

/** Environment > orbweaver.yaml of the folder. */
async function storeOf(dir: string): Promise<string> {
  return (await settingsOfFolder(dir)).store;
}

async function settingsOfFolder(dir: string): Promise<Settings> {
  const file = await loadSettingsFile(settingsPath(dir), { optional: true });
  // Whether the crawl goes on for ever is left to its own command line.
  return resolveSettings({ flags: { continuous: true }, env: process.env, file }).settings;
}
