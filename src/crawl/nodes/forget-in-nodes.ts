import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eraseRecords, findRecords } from '../../archive/mend/erase-records.ts';
import { markerOf } from '../../archive/shipping/shipped-markers.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { fingerprint } from '../../base/fingerprint.ts';
import type { ForgottenEntry, ForgottenPages } from '../../contracts/forgotten.ts';
import type { ShippedFiles } from '../../contracts/shipped-file.ts';
import type { ForgetPreview } from '../../contracts/state/forget.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import {
  forgetExtracted,
  forgetMonitored,
  forgetSubscriptions,
  openForgetPreview,
  openForgetting,
} from '../../engines/maintenance.ts';
import { moveStoreToFolder, openForgettingStore, openStoreView } from '../../engines/open-store.ts';
import { archiveFolder } from '../crawl-folder.ts';
import {
  anyOf,
  type ForgetOptions,
  type ForgetPlan,
  type ForgetReport,
  type FoundToForget,
  find,
  pagesToForget,
} from '../forget/forget-pages.ts';
import { removeLines } from '../forget/forgotten-lines.ts';
import { readForgottenNote, readRun, writeForgottenNote } from './crawl-record.ts';
import { copiesFolder } from './open-node.ts';
import { ShippedNotes } from './shipped-notes.ts';
import { nodeFolders } from './store-crawl.ts';

/** What `forgetInNodes` would delete. Changes nothing. */
export async function planForgetInNodes(store: string, asked: readonly string[]): Promise<ForgetPlan> {
  return await withGathered(store, async (gathered, folders) => {
    const { urls, others, records, bytes } = await find(gathered, archiveOf(folders), asked, 0, () => {});
    return { urls, others, records, bytes };
  });
}

/** Every deletion that was asked for in a crawl of several nodes. */
export async function forgottenInStore(store: string): Promise<ForgottenPages> {
  await using view = await openStoreView(store);
  return await readForgottenNote(view.notes);
}

/** Allows that forgotten URLs are fetched again. Answers how many deletions were meant. */
export async function allowAgainInStore(
  store: string,
  asked: readonly string[],
  clock: Clock = systemClock,
): Promise<number> {
  await using view = await openStoreView(store);
  const forgotten = await readForgottenNote(view.notes);
  const isMeant = (entry: ForgottenEntry): boolean => entry.allowedAt === undefined && asked.includes(entry.asked);
  const allowedAt = clock.now();
  const entries = forgotten.entries.map((entry) => (isMeant(entry) ? { ...entry, allowedAt } : entry));
  await writeForgottenNote(view.notes, { ...forgotten, entries });
  return forgotten.entries.filter(isMeant).length;
}

/**
 * Deletes pages from the rows of all partitions, and from the archives, the indexes and what was learnt in the folders of all nodes, which must
 * be on this machine. Refused while nodes are at work. What is to be deleted is noted first: cut off, the next call completes it.
 */
export async function forgetInNodes(
  store: string,
  asked: readonly string[],
  { rebuildIndex, requireIndex, onProgress = () => {}, clock = systemClock }: ForgetOptions,
): Promise<ForgetReport> {
  await using view = await openStoreView(store);
  const before = await readForgottenNote(view.notes);
  const { unfinished } = before;
  const completed = unfinished !== undefined;
  const nothing = { pages: 0, others: 0, requeued: 0, entries: [], completed, notes: [] };
  const complete = async (found: FoundToForget, entries: readonly ForgottenEntry[]) => {
    const files = found.files.map(({ file }) => file);
    await writeForgottenNote(view.notes, { entries, unfinished: { at: found.entries[0].at, files } });
    return await withGathered(store, async (gathered, folders) => {
      for (const folder of folders) requireIndex?.(folder);
      const shipped = new ShippedNotes(view.notes);
      const deletion = { onProgress, clock, shipped };
      const rows = await deleteFound(store, found, entries, gathered.archiveFiles(), folders, deletion);
      for (const folder of folders) await rebuildIndex(folder);
      await writeForgottenNote(view.notes, { entries });
      return rows;
    });
  };
  const look = (what: readonly string[], at: number): Promise<FoundToForget> =>
    withGathered(store, (gathered, folders) => find(gathered, archiveOf(folders), what, at, onProgress));
  if (unfinished !== undefined) {
    const entries = before.entries.filter(({ at }) => at === unfinished.at);
    const left = await look(
      entries.map((entry) => entry.asked),
      unfinished.at,
    );
    await complete({ ...left, entries }, before.entries);
  }
  if (asked.length === 0) return nothing;
  const found = await look(asked, clock.now());
  if (found.urls.length + found.others + found.records === 0) return nothing;
  const rows = await complete(found, [...before.entries, ...found.entries]);
  return { ...rows, entries: found.entries, completed, notes: [] };
}

interface Deletion {
  readonly onProgress: (text: string) => void;
  readonly clock: Clock;
  readonly shipped: ShippedFiles;
}

/** The rows first: what they still name is still there. */
async function deleteFound(
  store: string,
  found: FoundToForget,
  entries: readonly ForgottenEntry[],
  committed: ReadonlyMap<string, SettledBytes>,
  folders: readonly string[],
  { onProgress, clock, shipped }: Deletion,
) {
  const pages = pagesToForget(found);
  await using forgetting = await openForgettingStore(store, clock);
  onProgress('the database');
  const rows = await forgetting.forget({ ...pages, elsewhere: new Set(found.urls.map(fingerprint)) });
  const settled = new Map<string, SettledBytes | undefined>();
  for (const [file, { fileEnd }] of committed) {
    const folder = archiveOf(folders)(file);
    const records = await findRecords(folder, file, fileEnd, pages.matches);
    if (records.records === 0) continue;
    onProgress(file);
    settled.set(file, await eraseRecords(records, { folder, now: clock.now(), shipped }));
  }
  await forgetting.setArchiveFiles(settled);
  for (const folder of folders) forgetInFolder(folder, found, entries);
  return rows;
}

/** What a node has learnt, and what lies beside it. Its working copies are made again. */
function forgetInFolder(folder: string, found: FoundToForget, entries: readonly ForgottenEntry[]): void {
  using _lock = lockFolder(folder);
  using home = openForgetting(folder);
  home.forget({ ...pagesToForget(found), hasRecords: true }, { entries });
  home.complete(new Map(), { entries });
  rmSync(copiesFolder(folder), { recursive: true, force: true });
  const matches = anyOf(found.entries);
  removeLines(join(folder, 'clicks.jsonl'), matches);
  forgetSubscriptions(folder, matches);
  forgetMonitored(folder, matches);
  forgetExtracted(folder, matches);
}

/** All partitions as one state, and the folders of all nodes. Refused where one of them is on another machine. */
async function withGathered<T>(
  store: string,
  work: (gathered: ForgetPreview, folders: readonly string[]) => Promise<T>,
): Promise<T> {
  await using view = await openStoreView(store);
  const { here, elsewhere } = nodeFolders((await view.nodes.view()).nodes);
  const [away] = elsewhere;
  if (away !== undefined)
    throw new OrbweaverError('COPY_ELSEWHERE', `The folder of the node ${away.name} cannot be read here.`, {
      remedy: `Pages are deleted where all folders of the crawl can be read${away.home === undefined ? '' : `; it is ${away.home.folder} on ${away.home.machine}`}. Nothing was changed.`,
    });
  const run = await readRun(view.notes);
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-forget-'));
  try {
    const values = run === undefined ? {} : { run };
    await moveStoreToFolder({ url: store, folder, clock: systemClock, values, bringArchive: async () => {} });
    using gathered = openForgetPreview(folder);
    return await work(gathered, here);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function archiveOf(folders: readonly string[]): (file: string) => string {
  const archives = folders.map(archiveFolder);
  return (file) =>
    archives.find((archive) => existsSync(join(archive, file)) || existsSync(join(archive, markerOf(file)))) ??
    archives[0];
}
