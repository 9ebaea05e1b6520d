import { join } from 'node:path';
import { archiveFiles } from '../../archive/cdxj/cdxj-index.ts';
import { type CheckedArchive, checkArchive } from '../../archive/mend/check-archive.ts';
import { type MendedFile, mendFile } from '../../archive/mend/mend-archive.ts';
import { type Committed, wholeFile } from '../../archive/mend/repair-archive.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Fingerprint, fingerprint } from '../../base/fingerprint.ts';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import type { SalvageReport, StateDraft } from '../../contracts/state/repair.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import {
  checkState,
  finishSwap,
  keepDamagedState,
  openInspection,
  openStateDraft,
  removeDrafts,
  requireRoom,
  swapState,
} from '../../engines/maintenance.ts';
import { requireCrawl } from '../../engines/state-folder.ts';
import { storageError } from '../../engines/storage-error.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { readForgotten, refuseUnfinished } from '../forget/unfinished.ts';
import { archiveProblems, type FolderCheck, lostCopiesProblem, type OnProgress } from './check-folder.ts';
import { findLostUrls } from './find-lost-urls.ts';
import { lostCopies } from './lost-copies.ts';

export interface FolderRepair extends FolderCheck {
  /** What was done, a sentence each. */
  readonly done: readonly string[];
  /** What could not be had back, a sentence each. */
  readonly lost: readonly string[];
  /** What is still wrong. */
  readonly remaining: readonly FolderProblem[];
  /** The state as it was. */
  readonly keptState?: string;
}

interface Draft {
  readonly state: StateDraft;
  readonly folder: string;
  readonly now: number;
  readonly done: string[];
  readonly lost: string[];
  readonly onProgress: OnProgress;
}

const COPY_LOST = 'its copy in the archive was lost';
const RETRY_LOST = 'the row of its next try was lost';

/**
 * Repairs the state and the archive of a crawl folder. The state is repaired in a copy that takes its place at the end, in one
 * step; the archive keeps a copy of every byte that is taken out. A kill at any instant leaves a folder that can be
 * repaired in the same way, and a sound folder is left as it is.
 */
export async function repairFolder(
  folder: string,
  onProgress: OnProgress,
  clock: Clock = systemClock,
): Promise<FolderRepair> {
  requireCrawl(folder);
  using _lock = lockFolder(folder);
  const done: string[] = [];
  const lost: string[] = [];
  if (finishSwap(folder)) done.push('A repair that was cut off was completed.');
  removeDrafts(folder);
  const state = checkState(folder, onProgress);
  const before = state.isReadable ? await checkReadable(folder, onProgress) : undefined;
  const problems = [...state.problems, ...(before?.problems ?? [])];
  const counts = { notes: before?.notes ?? [], pages: before?.pages ?? 0, records: before?.records ?? 0 };
  if (problems.length === 0) return { ...counts, problems, done, lost, remaining: [] };

  requireRoom(folder, before?.damagedBytes ?? 0);
  const keptState = keepDamagedState(folder);
  try {
    const found = await repairDraft(folder, state.isReadable, { done, lost, onProgress, now: clock.now() });
    swapState(folder);
    return { ...counts, problems: [...problems, ...found.problems], done, lost, remaining: found.remaining, keptState };
  } catch (error) {
    throw storageError(error, folder);
  } finally {
    removeDrafts(folder);
  }
}

async function checkReadable(folder: string, onProgress: OnProgress) {
  using state = openInspection(folder);
  refuseUnfinished(readForgotten(state), folder);
  const archive = await checkArchive(archiveFolder(folder), state.archiveFiles(), (file) => onProgress(file));
  const lost = (await lostCopies(state, folder, archive.book)).size;
  return {
    problems: [...archiveProblems(archive), ...lostCopiesProblem(lost)],
    notes: [] as string[],
    pages: state.pageCount(),
    records: archive.files.reduce((sum, file) => sum + file.records, 0),
    damagedBytes: archive.files.flatMap(({ damage }) => damage).reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

async function repairDraft(
  folder: string,
  isReadable: boolean,
  told: Pick<Draft, 'done' | 'lost' | 'onProgress' | 'now'>,
): Promise<{ readonly problems: FolderProblem[]; readonly remaining: FolderProblem[] }> {
  using state = openStateDraft(folder, isReadable);
  const { salvage } = state;
  const draft: Draft = { state, folder, ...told };
  if (salvage !== undefined) tellSalvage(draft, salvage);
  state.restore(told.now);
  if (salvage !== undefined) await adoptArchive(draft);
  const archive = await checkArchive(archiveFolder(folder), state.archiveFiles(), (file) => told.onProgress(file));
  const mended = await mendArchive(draft, archive);
  const copies = await lostCopies(state, folder, archive.book);
  const problems = salvage === undefined ? [] : [...archiveProblems(archive), ...lostCopiesProblem(copies.size)];
  requeue(draft, copies, COPY_LOST, 'whose copy was lost');
  requeue(draft, new Set(state.strandedPages()), RETRY_LOST, 'whose next try was lost');
  await recoverUrls(draft);
  state.restore(told.now);
  state.commit();
  const again = await checkArchive(archiveFolder(folder), mended);
  return {
    problems,
    remaining: [...state.check(), ...archiveProblems(again)],
  };
}

function tellSalvage({ done, lost }: Draft, { tables, logLost }: SalvageReport): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  done.push(`The database of the state was made again from ${rows} rows.`);
  if (logLost) lost.push('The last transactions of the state: their log cannot be read.');
  for (const { table, unsound, damagedPages } of tables) {
    if (damagedPages > 0) lost.push(`The rows of damaged pages of the table ${table}: ${damagedPages}.`);
    if (unsound > 0) lost.push(`Damaged rows of the table ${table}: ${unsound}.`);
  }
}

/** Where the state has forgotten files of the archive, they belong to it as far as they can be read. */
async function adoptArchive({ state, folder, done }: Draft): Promise<void> {
  const known = state.archiveFiles();
  for (const file of await archiveFiles(archiveFolder(folder))) {
    if (known.has(file)) continue;
    const settled = await wholeFile(archiveFolder(folder), file);
    if (settled.fileEnd === 0) continue;
    state.adoptArchiveFile(file, settled);
    done.push(`${file} was taken in again.`);
  }
}

async function mendArchive(draft: Draft, archive: CheckedArchive): Promise<Map<string, Committed>> {
  const { state, folder, now, done, lost } = draft;
  const options = { folder: archiveFolder(folder), damagedFolder: join(folder, 'damaged'), now };
  const mended = new Map<string, Committed>();
  for (const checked of archive.files) {
    const isSound = checked.damage.length === 0 && checked.index === 'sound' && checked.sorted !== 'wrong';
    if (isSound) continue;
    const result = await mendFile(checked, options);
    tellMended(result, checked.damage.length > 0, done, lost);
    state.setArchiveFile(result.file, result.committed);
    if (result.committed !== undefined) mended.set(result.file, result.committed);
  }
  return mended;
}

function tellMended(
  { file, committed, lostBytes, kept }: MendedFile,
  damaged: boolean,
  done: string[],
  lost: string[],
): void {
  if (!damaged) {
    done.push(`The index of ${file} was made again.`);
    return;
  }
  lost.push(`${lostBytes} bytes of ${file}.`);
  done.push(committed === undefined ? `${file} was taken out.` : `${file} holds whole records alone again.`);
  for (const copy of kept) done.push(`What was damaged is kept in ${copy}.`);
}

function requeue({ state, now, done }: Draft, pages: ReadonlySet<Fingerprint>, why: string, whose: string): void {
  const count = state.requeuePages(pages, why, now);
  if (count > 0)
    done.push(`${count} ${count === 1 ? 'page' : 'pages'} ${whose} ${count === 1 ? 'is' : 'are'} queued again.`);
}

/** URLs of which the state knows that it knew them. */
async function recoverUrls(draft: Draft): Promise<void> {
  const { state, folder, now, done, lost } = draft;
  const gone = [...state.urlsLost()];
  const visited = gone.filter(({ fp }) => state.isVisited(fp));
  requeue(draft, new Set(visited.map(({ fp }) => fp)), RETRY_LOST, 'that waited nowhere');
  const wanted = new Map(gone.map((entry) => [entry.fp, entry]));
  for (const { fp } of visited) wanted.delete(fp);
  const known = state.knownUrls();
  if (wanted.size > 0 || known !== undefined) {
    const files = await archiveFiles(archiveFolder(folder));
    const { found, doubtful } = await findLostUrls(state, archiveFolder(folder), files, {
      wanted,
      ...(known === undefined ? {} : { isKnown: (fp) => known.has(fp) }),
    });
    state.queueFoundUrls(found, now);
    for (const { url } of found) wanted.delete(fingerprint(url));
    if (found.length > 0) done.push(`${found.length} URLs whose rows were lost are queued again.`);
    if (wanted.size > 0)
      lost.push(`${wanted.size} URLs that were found nowhere any more. A link to them is new from now on.`);
    state.judgeAgain(doubtful, now);
    if (doubtful.length > 0)
      done.push(`${doubtful.length} links that may have been known are judged by the next crawl.`);
  }
  state.restoreKnownUrls(new Set(wanted.keys()));
}
