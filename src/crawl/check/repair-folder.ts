import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { archiveFiles } from '../../archive/cdxj/cdxj-index.ts';
import { type CheckedArchive, checkArchive } from '../../archive/mend/check-archive.ts';
import { type MendedFile, mendFile } from '../../archive/mend/mend-archive.ts';
import { type Committed, wholeFile } from '../../archive/mend/repair-archive.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Fingerprint, fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import { checkDatabase, checkRows, checkTables } from '../../engines/repair/check-state.ts';
import { queueFoundUrls, requeuePages } from '../../engines/repair/requeue-pages.ts';
import { rememberSums, restoreSeen, restoreTables, strandedPages } from '../../engines/repair/restore-state.ts';
import { type SalvageReport, salvageState } from '../../engines/repair/salvage-state.ts';
import {
  draftPath,
  finishSwap,
  keepDamagedState,
  removeDrafts,
  requireRoom,
  swapState,
} from '../../engines/repair/state-swap.ts';
import { knownUrls, urlsLost } from '../../engines/repair/url-tables.ts';
import { openStateForReading, requireCrawl, statePath } from '../../engines/sqlite/state-database.ts';
import { storageError } from '../../engines/storage-error.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { readForgotten, refuseUnfinished } from '../forget/unfinished.ts';
import {
  archiveProblems,
  checkState,
  committedFiles,
  disposable,
  type FolderCheck,
  lostCopiesProblem,
  type OnProgress,
} from './check-folder.ts';
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
  readonly db: DatabaseSync;
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
    const salvage = state.isReadable ? copyState(folder) : salvageState(folder);
    const found = await repairDraft(folder, salvage, { done, lost, onProgress, now: clock.now() });
    swapState(folder);
    return { ...counts, problems: [...problems, ...found.problems], done, lost, remaining: found.remaining, keptState };
  } catch (error) {
    throw storageError(error, folder);
  } finally {
    removeDrafts(folder);
  }
}

async function checkReadable(folder: string, onProgress: OnProgress) {
  using opened = disposable(openStateForReading(folder));
  refuseUnfinished(readForgotten(opened.db), folder);
  const archive = await checkArchive(archiveFolder(folder), committedFiles(opened.db), (file) => onProgress(file));
  const lost = (await lostCopies(opened.db, folder, archive.book)).size;
  const { pages } = opened.db.prepare('SELECT count(*) AS pages FROM page').get() as { pages: number };
  return {
    problems: [...archiveProblems(archive), ...lostCopiesProblem(lost)],
    notes: [] as string[],
    pages,
    records: archive.files.reduce((sum, file) => sum + file.records, 0),
    damagedBytes: archive.files.flatMap(({ damage }) => damage).reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

/** A copy that holds what is in the log, too. */
function copyState(folder: string): undefined {
  using opened = disposable(new DatabaseSync(statePath(folder)));
  opened.db.prepare('VACUUM INTO ?').run(draftPath(folder));
  return undefined;
}

async function repairDraft(
  folder: string,
  salvage: SalvageReport | undefined,
  told: Pick<Draft, 'done' | 'lost' | 'onProgress' | 'now'>,
): Promise<{ readonly problems: FolderProblem[]; readonly remaining: FolderProblem[] }> {
  using opened = disposable(new DatabaseSync(draftPath(folder)));
  const { db } = opened;
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; BEGIN');
  const draft: Draft = { db, folder, ...told };
  if (salvage !== undefined) tellSalvage(draft, salvage);
  const remembered = rememberSums(db);
  restoreTables(db, remembered, told.now);
  if (salvage !== undefined) await adoptArchive(draft);
  const archive = await checkArchive(archiveFolder(folder), committedFiles(db), (file) => told.onProgress(file));
  const mended = await mendArchive(draft, archive);
  const copies = await lostCopies(db, folder, archive.book);
  const problems = salvage === undefined ? [] : [...archiveProblems(archive), ...lostCopiesProblem(copies.size)];
  requeue(draft, copies, COPY_LOST, 'whose copy was lost');
  requeue(draft, new Set(strandedPages(db, 'retried')), RETRY_LOST, 'whose next try was lost');
  const unjudged = await recoverUrls(draft, salvage);
  remembered.refusedLinks.scope = (remembered.refusedLinks.scope ?? 0) + unjudged;
  restoreTables(db, remembered, told.now);
  db.exec('COMMIT');
  const again = await checkArchive(archiveFolder(folder), mended);
  return {
    problems,
    remaining: [...checkDatabase(db), ...checkRows(db), ...checkTables(db), ...archiveProblems(again)],
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
async function adoptArchive({ db, folder, done }: Draft): Promise<void> {
  const known = committedFiles(db);
  const adopt = db.prepare('INSERT INTO archive_file (name, file_end, index_end) VALUES (?, ?, ?)');
  for (const file of await archiveFiles(archiveFolder(folder))) {
    if (known.has(file)) continue;
    const { fileEnd, indexEnd } = await wholeFile(archiveFolder(folder), file);
    if (fileEnd === 0) continue;
    adopt.run(file, fileEnd, indexEnd);
    done.push(`${file} was taken in again.`);
  }
}

async function mendArchive(draft: Draft, archive: CheckedArchive): Promise<Map<string, Committed>> {
  const { db, folder, now, done, lost } = draft;
  const write = db.prepare('UPDATE archive_file SET file_end = ?, index_end = ? WHERE name = ?');
  const remove = db.prepare('DELETE FROM archive_file WHERE name = ?');
  const options = { folder: archiveFolder(folder), damagedFolder: join(folder, 'damaged'), now };
  const mended = new Map<string, Committed>();
  for (const checked of archive.files) {
    const isSound = checked.damage.length === 0 && checked.index === 'sound' && checked.sorted !== 'wrong';
    if (isSound) continue;
    const result = await mendFile(checked, options);
    tellMended(result, checked.damage.length > 0, done, lost);
    if (result.committed === undefined) remove.run(result.file);
    else {
      write.run(result.committed.fileEnd, result.committed.indexEnd, result.file);
      mended.set(result.file, result.committed);
    }
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

function requeue({ db, now, done }: Draft, pages: ReadonlySet<Fingerprint>, why: string, whose: string): void {
  const count = requeuePages(db, pages, why, now);
  if (count > 0)
    done.push(`${count} ${count === 1 ? 'page' : 'pages'} ${whose} ${count === 1 ? 'is' : 'are'} queued again.`);
}

/** URLs of which the state knows that it knew them. Answers how many links count as refused until the next crawl judges them. */
async function recoverUrls(draft: Draft, salvage: SalvageReport | undefined): Promise<number> {
  const { db, folder, now, done, lost } = draft;
  const gone = [...urlsLost(db)];
  const visited = gone.filter(
    ({ fp }) => db.prepare('SELECT 1 FROM page WHERE fp = ?').get(toSigned(fp)) !== undefined,
  );
  requeue(draft, new Set(visited.map(({ fp }) => fp)), RETRY_LOST, 'that waited nowhere');
  const wanted = new Map(gone.map((entry) => [entry.fp, entry]));
  for (const { fp } of visited) wanted.delete(fp);
  const logDamaged = salvage?.tables.some(
    ({ table, damagedPages, unsound }) => table === 'seen' && damagedPages + unsound > 0,
  );
  let unjudged = 0;
  if (wanted.size > 0 || logDamaged === true) {
    const known = logDamaged === true ? knownUrls(db) : undefined;
    const files = await archiveFiles(archiveFolder(folder));
    const { found, doubtful } = await findLostUrls(db, archiveFolder(folder), files, {
      wanted,
      ...(known === undefined ? {} : { isKnown: (fp) => known.has(fp) }),
    });
    queueFoundUrls(db, found, now);
    for (const { url } of found) wanted.delete(fingerprint(url));
    if (found.length > 0) done.push(`${found.length} URLs whose rows were lost are queued again.`);
    if (wanted.size > 0)
      lost.push(`${wanted.size} URLs that were found nowhere any more. A link to them is new from now on.`);
    unjudged = judgeAgain(db, doubtful, now);
    if (doubtful.length > 0)
      done.push(`${doubtful.length} links that may have been known are judged by the next crawl.`);
  }
  restoreSeen(db, new Set(wanted.keys()));
  return unjudged;
}

/** Refused for now, and by rules of old: so the next start judges them, as it does when rules have changed. */
function judgeAgain(db: DatabaseSync, tasks: readonly CrawlTask[], now: number): number {
  if (tasks.length === 0) return 0;
  const insert = db.prepare("INSERT OR IGNORE INTO refusal (fp, by, rule, task, at) VALUES (?, 'scope', ?, ?, ?)");
  let count = 0;
  for (const task of tasks) {
    const row = [toSigned(fingerprint(task.url)), 'not judged again yet after a repair', JSON.stringify(task), now];
    count += Number(insert.run(...row).changes);
  }
  db.exec(`UPDATE meta SET value = json_set(value, '$.rules', 'repaired') WHERE name = 'run'`);
  return count;
}
