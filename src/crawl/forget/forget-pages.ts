import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eraseRecords, findRecords, type RecordsToErase } from '../../archive/mend/erase-records.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { ForgottenEntry, ForgottenPages } from '../../contracts/forgotten.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import { forgetLearnt } from '../../engines/forget/forget-learnt.ts';
import { type ForgottenRows, forgetRows, othersToForget, pagesToForget } from '../../engines/forget/forget-rows.ts';
import { requireRoom } from '../../engines/repair/state-swap.ts';
import { readValue } from '../../engines/sqlite/rows/read-value.ts';
import { openState, openStateForReading, requireCrawl } from '../../engines/sqlite/state-database.ts';
import { storageError } from '../../engines/storage-error.ts';
import { matcherOf, parseForgetTarget, type UrlMatcher } from '../../scope/forget-target.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';
import { committedFiles, disposable } from '../check/check-folder.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { pushInboxPath } from '../notify/push-inbox.ts';
import type { RunRecord } from '../report/run-record.ts';
import { unpackBatch } from '../settlement/link-batch.ts';
import { blankLines, removeLines } from './forgotten-lines.ts';
import { FORGOTTEN, readForgotten } from './unfinished.ts';

export interface ForgetOptions {
  /** Makes the search index of the folder again from the archive, and leaves no file of the old one. */
  readonly rebuildIndex: (folder: string) => Promise<void>;
  /** Throws where somebody else writes the index: before anything is deleted, rather than in the middle. */
  readonly requireIndex?: (folder: string) => void;
  readonly onProgress?: (text: string) => void;
  readonly clock?: Clock;
}

/** What a deletion takes, or would take. */
export interface ForgetPlan {
  /** URLs of the state that were visited. */
  readonly urls: readonly string[];
  /** URLs that were waiting, or refused before they were visited. */
  readonly others: number;
  readonly records: number;
  readonly bytes: number;
}

export interface ForgetReport extends ForgottenRows {
  readonly entries: readonly ForgottenEntry[];
  /** An earlier deletion that was cut off was completed. */
  readonly completed: boolean;
  /** Other places in the folder that may hold copies. */
  readonly notes: readonly string[];
}

interface Found extends ForgetPlan {
  readonly files: readonly RecordsToErase[];
  readonly entries: readonly ForgottenEntry[];
}

/** Every deletion that was asked for in a folder, and whether the last one is complete. */
export function forgottenPages(folder: string): ForgottenPages {
  using opened = disposable(openStateForReading(folder));
  return readForgotten(opened.db);
}

/** What `forgetPages` would delete. Changes nothing. */
export async function planForget(folder: string, asked: readonly string[]): Promise<ForgetPlan> {
  requireCrawl(folder);
  const { urls, others, records, bytes } = await find(folder, asked, 0, () => {});
  return { urls, others, records, bytes };
}

/**
 * Deletes pages from the state, the archive and the index of a folder. Refused while a crawl runs in it. Without targets it
 * only completes a deletion that was cut off.
 */
export async function forgetPages(
  folder: string,
  asked: readonly string[],
  { rebuildIndex, requireIndex, onProgress = () => {}, clock = systemClock }: ForgetOptions,
): Promise<ForgetReport> {
  requireCrawl(folder);
  using _lock = lockFolder(folder);
  requireIndex?.(folder);
  // A folder of an earlier version gets its tables, as with the next crawl.
  using opened = disposable(openState(folder));
  const { db } = opened;
  const completed = readForgotten(db).unfinished !== undefined;
  const followUp = { rebuildIndex, onProgress, now: clock.now() };
  await finish(folder, db, followUp);
  const nothing = { pages: 0, others: 0, requeued: 0, entries: [], completed, notes: completed ? notesOf(folder) : [] };
  if (asked.length === 0) return nothing;
  const found = await find(folder, asked, clock.now(), onProgress);
  requireRoom(
    folder,
    Math.max(0, ...[...committedFiles(db).values()].map(({ fileEnd }) => fileEnd)),
    'A deletion of pages',
  );
  const rows = forgetInState(folder, db, found);
  if (rows === undefined) return nothing;
  await finish(folder, db, followUp);
  return { ...rows, entries: found.entries, completed, notes: notesOf(folder) };
}

/** Allows that forgotten URLs are fetched again. Answers how many deletions were meant. */
export function allowAgain(folder: string, asked: readonly string[], clock: Clock = systemClock): number {
  requireCrawl(folder);
  using _lock = lockFolder(folder);
  using opened = disposable(openState(folder));
  const forgotten = readForgotten(opened.db);
  const isMeant = (entry: ForgottenEntry): boolean => entry.allowedAt === undefined && asked.includes(entry.asked);
  const count = forgotten.entries.filter(isMeant).length;
  const allowedAt = clock.now();
  const entries = forgotten.entries.map((entry) => (isMeant(entry) ? { ...entry, allowedAt } : entry));
  if (count > 0) writeForgotten(opened.db, { ...forgotten, entries });
  return count;
}

async function find(
  folder: string,
  asked: readonly string[],
  now: number,
  onProgress: (text: string) => void,
): Promise<Found> {
  using opened = disposable(openStateForReading(folder));
  const { db } = opened;
  const urlOptions = readValue<RunRecord>(db, 'run')?.urlOptions ?? defaultUrlOptions;
  const sums = asked.map((text) => {
    const target = parseForgetTarget(text, urlOptions);
    return { asked: text, target, at: now, matches: matcherOf(target), pages: 0, records: 0, bytes: 0 };
  });
  const of = (url: string) => sums.find(({ matches }) => matches(url));
  const matches: UrlMatcher = (url) => of(url) !== undefined;
  const urls = [...pagesToForget(db, matches)];
  for (const url of urls) (of(url) ?? sums[0]).pages++;
  const files: RecordsToErase[] = [];
  for (const [file, { fileEnd }] of committedFiles(db)) {
    onProgress(file);
    const found = await findRecords(archiveFolder(folder), file, fileEnd, matches, (url, bytes) => {
      const sum = of(url) ?? sums[0];
      sum.records++;
      sum.bytes += bytes;
    });
    if (found.records > 0) files.push(found);
  }
  const total = (key: 'records' | 'bytes'): number => files.reduce((sum, file) => sum + file[key], 0);
  const entries = sums.map(({ matches: _, ...entry }) => entry);
  return {
    urls,
    others: othersToForget(db, matches),
    files,
    entries,
    records: total('records'),
    bytes: total('bytes'),
  };
}

/** Removes the pages from the state, which knows from then on what is still to be done. Undefined where nothing matches. */
function forgetInState(
  folder: string,
  db: DatabaseSync,
  { entries, files, records }: Found,
): ForgottenRows | undefined {
  const matches = anyOf(entries);
  const erased = new Set(files.flatMap(({ file, orphans }) => orphans.map((offset) => `${file} ${offset}`)));
  const { at } = entries[0];
  try {
    db.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    const rows = forgetRows(db, {
      matches,
      isErased: (file, offset) => erased.has(`${file} ${offset}`),
      batchPage: (links) => unpackBatch(links).page.url,
      now: at,
    });
    if (rows.pages + rows.others + records === 0) {
      db.exec('ROLLBACK');
      return undefined;
    }
    forgetLearnt(db, matches);
    const unfinished = { at, files: files.map(({ file }) => file) };
    writeForgotten(db, { entries: [...readForgotten(db).entries, ...entries], unfinished });
    db.exec('COMMIT');
    return rows;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw storageError(error, folder);
  }
}

function anyOf(entries: readonly ForgottenEntry[]): UrlMatcher {
  const matchers = entries.map(({ target }) => matcherOf(target));
  return (url) => matchers.some((match) => match(url));
}

interface FollowUp {
  readonly rebuildIndex: ForgetOptions['rebuildIndex'];
  readonly onProgress: (text: string) => void;
  readonly now: number;
}

/** What the state has forgotten leaves archive, files beside it, index, and the free pages of the state. Done twice, it changes nothing more. */
async function finish(folder: string, db: DatabaseSync, { rebuildIndex, onProgress, now }: FollowUp): Promise<void> {
  const { unfinished, entries } = readForgotten(db);
  if (unfinished === undefined) return;
  const matches = anyOf(entries.filter(({ at }) => at === unfinished.at));
  const committed = committedFiles(db);
  const settle = db.prepare('UPDATE archive_file SET file_end = ?, index_end = ? WHERE name = ?');
  const drop = db.prepare('DELETE FROM archive_file WHERE name = ?');
  const settled: (() => void)[] = [];
  for (const file of unfinished.files) {
    onProgress(file);
    const archive = archiveFolder(folder);
    const found = await findRecords(archive, file, committed.get(file)?.fileEnd ?? 0, matches);
    const left = await eraseRecords(found, { folder: archive, now });
    settled.push(() => (left === undefined ? drop.run(file) : settle.run(left.fileEnd, left.indexEnd, file)));
  }
  removeLines(join(folder, 'clicks.jsonl'), matches);
  blankLines(pushInboxPath(folder), matches);
  forgetSubscriptions(folder, matches);
  onProgress('the search index is made again');
  await rebuildIndex(folder);
  onProgress('state.db');
  try {
    emptyFreePages(db, folder);
    db.exec('BEGIN IMMEDIATE');
    for (const write of settled) write();
    writeForgotten(db, { entries });
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw storageError(error, folder);
  }
}

/** Deleted rows lie about in free pages of the database and in its log, until both are written again. */
function emptyFreePages(db: DatabaseSync, folder: string): void {
  db.exec('PRAGMA busy_timeout = 10000; VACUUM');
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  if (busy === 0) return;
  throw new OrbweaverError(
    'FOLDER_IN_USE',
    `Another process is reading ${folder}: the log of the state cannot be emptied.`,
    {
      remedy: `Wait for it to end, or stop it, and complete the deletion with: orbweaver forget --dir ${shellWord(folder)}`,
    },
  );
}

function forgetSubscriptions(folder: string, matches: UrlMatcher): void {
  const path = join(folder, 'push.db');
  if (!existsSync(path)) return;
  using opened = disposable(new DatabaseSync(path));
  opened.db.function('forgets', (url) => Number(typeof url === 'string' && matches(url)));
  opened.db.exec(`PRAGMA busy_timeout = 5000; PRAGMA secure_delete = ON;
    DELETE FROM subscription WHERE forgets(topic); PRAGMA wal_checkpoint(TRUNCATE)`);
}

function notesOf(folder: string): string[] {
  const copies = readdirSync(folder).filter((name) => name === 'damaged' || name.startsWith('state.db.damaged'));
  if (copies.length === 0) return [];
  return [`Earlier repairs kept copies that may hold the pages still: ${copies.join(', ')}. Remove them yourself.`];
}

function writeForgotten(db: DatabaseSync, value: ForgottenPages): void {
  db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(FORGOTTEN, JSON.stringify(value));
}
