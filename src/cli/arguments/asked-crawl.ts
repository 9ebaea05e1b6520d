import { type Command, Option } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { loadSettingsFile } from '../../base/settings/load-settings-file.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { NodeRecord } from '../../contracts/state/nodes.ts';
import { settingsPath } from '../../crawl/crawl-folder.ts';
import type { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import type { Gathered } from '../../engines/open-store.ts';
import type { SearchedPlaces } from '../../search/threads/searched-indexes.ts';
import type { FoundPlaces } from './searched-places.ts';

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
  await refuseMasterFolder(asked.dir);
  if (node === undefined) return new CrawlReader(asked.dir);
  throw new OrbweaverError(
    'SETTING_INVALID',
    `${asked.dir} is the folder of ${node}, a node: its crawl is in a database.`,
    { remedy: 'Name the database with --store postgres://… or with ORBWEAVER_STORE.' },
  );
}

/** A master index can be searched; the pages themselves lie in the folders that it is fed from. */
async function refuseMasterFolder(folder: string): Promise<void> {
  const { hasState } = await import('../../engines/state-folder.ts');
  if (hasState(folder)) return;
  const { readMaster } = await import('../../search/indexing/master/master-place.ts');
  const master = readMaster(folder);
  if (master === undefined) return;
  const places = master.sources.map((source) => `${source.folder} on ${source.machine}`).join(', ');
  throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `${folder} is a master index: the pages lie in ${places}.`, {
    remedy: `Name one of these with --dir. To search them all: orbweaver search QUERY --dir ${shellWord(folder)}`,
  });
}

/** What a search goes over. */
export interface AskedSearch {
  readonly places: SearchedPlaces;
  /** Where it goes over the nodes of a crawl, of which others may come and go. */
  readonly nodes?: AskedNodes;
}

export interface AskedNodes {
  readonly store: string;
  /** When they were looked at first. */
  readonly found: FoundPlaces;
  readonly placesOf: (nodes: readonly NodeRecord[]) => FoundPlaces;
}

/** The folder that was asked for; or all nodes of a crawl, by their folders where they can be read here, else over the network. */
export async function searchedPlaces(asked: AskedCrawl): Promise<AskedSearch> {
  const { store, node } = await askedStore(asked);
  if (store === undefined) return { places: { folder: asked.dir } };
  const { openCluster } = await import('../../crawl/nodes/cluster-view.ts');
  const { placesOfNodes } = await import('./searched-places.ts');
  await using cluster = await openCluster(store);
  const { nodes } = await cluster.nodes.view();
  const { searchToken: token, searchTimeout: timeoutMs } = await settingsOfFolder(asked.dir);
  const how = { dir: asked.dir, remote: { token, timeoutMs }, ...(node === undefined ? {} : { own: asked.dir }) };
  const placesOf = (nodes: readonly NodeRecord[]): FoundPlaces => placesOfNodes(nodes, how);
  const found = placesOf(nodes);
  for (const line of found.missing.values()) process.stderr.write(`${line}\n`);
  return { places: found.places, nodes: { store, found, placesOf } };
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
