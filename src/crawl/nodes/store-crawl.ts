import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, resolve } from 'node:path';
import { isWrittenBy } from '../../archive/archive-file-name.ts';
import type { Clock } from '../../base/clock.ts';
import type { NodeRecord } from '../../contracts/state/nodes.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { type Gathered, openStoreReader, openStoreView } from '../../engines/open-store.ts';
import { hasState } from '../../engines/state-folder.ts';
import { archiveFolder } from '../crawl-folder.ts';
import type { LearnedStateSnapshot } from '../learning/learned-state.ts';
import { CrawlReader } from '../report/crawl-reader.ts';
import type { RunRecord } from '../report/run-record.ts';
import { readRun } from './crawl-record.ts';
import { writersOf } from './node-note.ts';
import { ShippedNotes } from './shipped-notes.ts';

export interface StoreToRead {
  /** The address of the database. */
  readonly store: string;
  readonly wanted: Gathered;
  /** Folders of nodes, besides those of this machine that the store knows. */
  readonly folders?: readonly string[];
  readonly clock: Clock;
}

/** The folders of the nodes of a crawl. */
export interface NodeFolders {
  /** Those that can be read here. */
  readonly here: readonly string[];
  /** Nodes that hold pages in folders that cannot. */
  readonly elsewhere: readonly NodeRecord[];
}

/** Reads a crawl in a database, over all its partitions; copies of pages where they can be read from this machine. */
export async function openStoreCrawl({ store, wanted, folders = [], clock }: StoreToRead): Promise<CrawlReader> {
  await using opened = new AsyncDisposableStack();
  const view = opened.use(await openStoreView(store));
  const { nodes } = await view.nodes.view();
  const run = await readRun(view.notes);
  const state = await openStoreReader(store, wanted, clock);
  // A node tells where it lies from the root on: the same folder by another name would be read twice.
  const here = [...new Set([...folders.map((folder) => resolve(folder)), ...nodeFolders(nodes).here])];
  const notes = new ShippedNotes(view.notes);
  const stays = opened.move();
  return new CrawlReader({
    ...{ name: nameOf(store), flag: '--store …', state },
    // A crawl of one process has it among its rows.
    run: run ?? state.read<RunRecord>('run'),
    folders: here,
    learnedState: () => learntBy(here),
    whoHas: (file) => whoHas(file, nodes),
    shipped: { read: (file) => notes.read(file), files: async () => [...state.archiveFiles().keys()].sort() },
    close: () => void stays.disposeAsync(),
  });
}

/** Which of the nodes' folders can be read from this machine. */
export function nodeFolders(nodes: readonly NodeRecord[]): NodeFolders {
  const isHere = ({ home }: NodeRecord): boolean =>
    home !== undefined && home.machine === hostname() && existsSync(archiveFolder(home.folder));
  return {
    here: nodes.filter(isHere).flatMap(({ home }) => (home === undefined ? [] : [home.folder])),
    elsewhere: nodes.filter((node) => !isHere(node) && node.pages > 0),
  };
}

/** What the nodes whose folders can be read here have learnt, each for itself. */
function learntBy(folders: readonly string[]): LearnedStateSnapshot | undefined {
  const all = folders.filter(hasState).flatMap((folder) => {
    using home = openStateReader(folder);
    return home.read<LearnedStateSnapshot>('lessons') ?? [];
  });
  if (all.length === 0) return undefined;
  return {
    parts: {},
    patterns: all.flatMap(({ patterns }) => patterns),
    mirrors: all.flatMap(({ mirrors }) => mirrors),
    spamHosts: all.flatMap(({ spamHosts }) => spamHosts),
    cloaked: all.flatMap(({ cloaked = [] }) => cloaked),
  };
}

/** Archive files end in the name of the node that wrote them. */
function whoHas(file: string, nodes: readonly NodeRecord[]): string {
  const node = nodes.find(({ name, home }) => isWrittenBy(file, writersOf({ name, ...home })));
  if (node === undefined) return `it lies in ${file}, in the folder of a node that is not known any more.`;
  const { name, home } = node;
  const where = home === undefined ? 'in its folder' : `in ${home.folder} on the machine ${home.machine}`;
  return `the node ${name} has it, ${where}, in ${file}.`;
}

/** Without user and password. */
function nameOf(store: string): string {
  const { pathname, searchParams } = new URL(store);
  const schema = searchParams.get('schema');
  return `the database ${basename(pathname)}${schema === null ? '' : `, schema ${schema}`}`;
}
