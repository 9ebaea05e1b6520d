import { constants, copyFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cdxjOf } from '../../archive/archive-file-name.ts';
import { reindexFile } from '../../archive/mend/repair-archive.ts';
import { bringBack } from '../../archive/shipping/bring-back.ts';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import type { Message } from '../../contracts/state/exchange.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { openCrawlState, openOnlyPartition } from '../../engines/open-state.ts';
import { type MovedToFolder, moveStoreToFolder, openStoreView } from '../../engines/open-store.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { frontierOptionsOf } from '../settings-to-parts.ts';
import { readRecord, readRun } from './crawl-record.ts';
import { ShippedNotes } from './shipped-notes.ts';
import { nodeFolders } from './store-crawl.ts';

export interface CrawlToMove {
  /** The address of the database. */
  readonly store: string;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onProgress: (text: string) => void;
}

/** Moves a crawl from a database into a folder, with the archives of its nodes: it goes on there as one that never had a database. */
export async function migrateToFolder(move: CrawlToMove): Promise<MovedToFolder> {
  const { store, folder, clock, onProgress } = move;
  await using view = await openStoreView(store);
  const { here } = nodeFolders((await view.nodes.view()).nodes);
  const run = await readRun(view.notes);
  const record = await readRecord(view.notes);
  return await moveStoreToFolder({
    ...{ url: store, folder, clock, values: run === undefined ? {} : { run } },
    bringArchive: (files) => bringArchive(files, here, folder, new ShippedNotes(view.notes), onProgress),
    applyMessages: (messages, staging) =>
      applyMessages(messages, record?.value.settings ?? {}, { ...move, folder: staging }),
  });
}

/** Files that are there already stay. One that is nowhere ends it, before the state in the folder counts. */
async function bringArchive(
  files: ReadonlyMap<string, SettledBytes>,
  from: readonly string[],
  to: string,
  shipped: ShippedNotes,
  onProgress: (text: string) => void,
): Promise<void> {
  mkdirSync(archiveFolder(to), { recursive: true });
  const missing: string[] = [];
  for (const [file, { fileEnd, indexEnd }] of files)
    for (const [name, end] of [
      [file, fileEnd],
      [cdxjOf(file), indexEnd],
    ] as const) {
      const target = join(archiveFolder(to), name);
      if (isWhole(target, end)) continue;
      const source = from.map((folder) => join(archiveFolder(folder), name)).find((path) => isWhole(path, end));
      onProgress(name);
      if (source === undefined) {
        if (!(await fromStore(archiveFolder(to), file, name, shipped))) missing.push(name);
        continue;
      }
      copyFileSync(source, `${target}.moving`, constants.COPYFILE_FICLONE);
      renameSync(`${target}.moving`, target);
    }
  if (missing.length === 0) return;
  throw new OrbweaverError('COPY_ELSEWHERE', `Archive files cannot be found on this machine: ${missing.join(', ')}.`, {
    remedy: `Copy them into ${archiveFolder(to)} and run the same command again.`,
  });
}

/** The order of its index is that of its records. */
async function fromStore(folder: string, file: string, name: string, shipped: ShippedNotes): Promise<boolean> {
  if (!(await bringBack(join(folder, file), shipped))) return false;
  if (name !== file) await reindexFile(folder, file);
  return true;
}

function isWhole(path: string, end: number): boolean {
  return existsSync(path) && statSync(path).size >= end;
}

/** Links that a partition had sent and the other had not taken in yet. */
async function applyMessages(
  messages: readonly Message[],
  settings: Readonly<Record<string, string>>,
  { store, folder, clock, random }: CrawlToMove,
): Promise<void> {
  // The settings are those of a crawl in a database, and are judged as such.
  const { settings: all } = resolveSettings({ flags: { store }, env: {}, file: settings });
  const options = frontierOptionsOf(all, clock.now());
  await using state = openCrawlState({ folder, clock, random, options });
  using partition = await openOnlyPartition(state);
  await partition.frontier.accept(messages);
}
