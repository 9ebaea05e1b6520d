import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eraseRecords, findRecords, type RecordsToErase } from '../../archive/mend/erase-records.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { ForgottenEntry, ForgottenPages } from '../../contracts/forgotten.ts';
import type { ForgetPreview, ForgettingState, ForgottenRows, PagesToForget } from '../../contracts/state/forget.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import {
  forgetExtracted,
  forgetMonitored,
  forgetSubscriptions,
  openForgetPreview,
  openForgetting,
  requireRoom,
} from '../../engines/maintenance.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { removeTable } from '../../engines/open-table.ts';
import { requireCrawl } from '../../engines/state-folder.ts';
import { matcherOf, parseForgetTarget, type UrlMatcher } from '../../scope/forget-target.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';
import { archiveFolder, reportPath } from '../crawl-folder.ts';
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

export interface FoundToForget extends ForgetPlan {
  readonly files: readonly RecordsToErase[];
  readonly entries: readonly ForgottenEntry[];
}

/** Every deletion that was asked for in a folder, and whether the last one is complete. */
export function forgottenPages(folder: string): ForgottenPages {
  using state = openStateReader(folder);
  return readForgotten(state);
}

/** What `forgetPages` would delete. Changes nothing. */
export async function planForget(folder: string, asked: readonly string[]): Promise<ForgetPlan> {
  requireCrawl(folder);
  using state = openForgetPreview(folder);
  const { urls, others, records, bytes } = await find(
    state,
    () => archiveFolder(folder),
    asked,
    0,
    () => {},
  );
  return { urls, others, records, bytes };
}

/** Deletes pages from state, archive and index. Refused while a crawl runs. Without targets it completes a broken deletion. */
export async function forgetPages(
  folder: string,
  asked: readonly string[],
  { rebuildIndex, requireIndex, onProgress = () => {}, clock = systemClock }: ForgetOptions,
): Promise<ForgetReport> {
  requireCrawl(folder);
  using _lock = lockFolder(folder);
  requireIndex?.(folder);
  using state = openForgetting(folder);
  const completed = readForgotten(state).unfinished !== undefined;
  const followUp = { rebuildIndex, onProgress, now: clock.now() };
  await finish(folder, state, followUp);
  const nothing = { pages: 0, others: 0, requeued: 0, entries: [], completed, notes: completed ? notesOf(folder) : [] };
  if (asked.length === 0) return nothing;
  const found = await findIn(folder, asked, clock.now(), onProgress);
  requireRoom(
    folder,
    Math.max(0, ...[...state.archiveFiles().values()].map(({ fileEnd }) => fileEnd)),
    'A deletion of pages',
  );
  const rows = forgetInState(state, found);
  if (rows === undefined) return nothing;
  await finish(folder, state, followUp);
  return { ...rows, entries: found.entries, completed, notes: notesOf(folder) };
}

/** Allows that forgotten URLs are fetched again. Answers how many deletions were meant. */
export function allowAgain(folder: string, asked: readonly string[], clock: Clock = systemClock): number {
  requireCrawl(folder);
  using _lock = lockFolder(folder);
  using state = openForgetting(folder);
  const forgotten = readForgotten(state);
  const isMeant = (entry: ForgottenEntry): boolean => entry.allowedAt === undefined && asked.includes(entry.asked);
  const count = forgotten.entries.filter(isMeant).length;
  const allowedAt = clock.now();
  const entries = forgotten.entries.map((entry) => (isMeant(entry) ? { ...entry, allowedAt } : entry));
  if (count > 0) state.write(FORGOTTEN, { ...forgotten, entries });
  return count;
}

async function findIn(
  folder: string,
  asked: readonly string[],
  now: number,
  onProgress: (text: string) => void,
): Promise<FoundToForget> {
  using state = openForgetPreview(folder);
  return await find(state, () => archiveFolder(folder), asked, now, onProgress);
}

/** What a deletion would take from a state, and from the archives that its files lie in. */
export async function find(
  state: ForgetPreview,
  archiveOf: (file: string) => string,
  asked: readonly string[],
  now: number,
  onProgress: (text: string) => void,
): Promise<FoundToForget> {
  const urlOptions = state.read<RunRecord>('run')?.urlOptions ?? defaultUrlOptions;
  const sums = asked.map((text) => {
    const target = parseForgetTarget(text, urlOptions);
    return { asked: text, target, at: now, matches: matcherOf(target), pages: 0, records: 0, bytes: 0 };
  });
  const of = (url: string) => sums.find(({ matches }) => matches(url));
  const matches: UrlMatcher = (url) => of(url) !== undefined;
  const urls = [...state.pagesToForget(matches)];
  for (const url of urls) (of(url) ?? sums[0]).pages++;
  const files: RecordsToErase[] = [];
  for (const [file, { fileEnd }] of state.archiveFiles()) {
    onProgress(file);
    const found = await findRecords(archiveOf(file), file, fileEnd, matches, (url, bytes) => {
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
    others: state.othersToForget(matches),
    files,
    entries,
    records: total('records'),
    bytes: total('bytes'),
  };
}

/** Removes the pages from the state, which knows from then on what is still to be done. Undefined where nothing matches. */
function forgetInState(state: ForgettingState, found: FoundToForget): ForgottenRows | undefined {
  const { entries, files } = found;
  const { at } = entries[0];
  return state.forget(pagesToForget(found), {
    entries: [...readForgotten(state).entries, ...entries],
    unfinished: { at, files: files.map(({ file }) => file) },
  });
}

export function pagesToForget({ entries, files, records }: FoundToForget): PagesToForget {
  const erased = new Set(files.flatMap(({ file, orphans }) => orphans.map((offset) => `${file} ${offset}`)));
  return {
    matches: anyOf(entries),
    isErased: (file, offset) => erased.has(`${file} ${offset}`),
    batchPage: (links) => unpackBatch(links).page.url,
    hasRecords: records > 0,
    now: entries[0].at,
  };
}

export function anyOf(entries: readonly ForgottenEntry[]): UrlMatcher {
  const matchers = entries.map(({ target }) => matcherOf(target));
  return (url) => matchers.some((match) => match(url));
}

interface FollowUp {
  readonly rebuildIndex: ForgetOptions['rebuildIndex'];
  readonly onProgress: (text: string) => void;
  readonly now: number;
}

/** What the state has forgotten leaves archive, files beside it, index, and the free pages of the state. Done twice, it changes nothing more. */
async function finish(
  folder: string,
  state: ForgettingState,
  { rebuildIndex, onProgress, now }: FollowUp,
): Promise<void> {
  const { unfinished, entries } = readForgotten(state);
  if (unfinished === undefined) return;
  const matches = anyOf(entries.filter(({ at }) => at === unfinished.at));
  const committed = state.archiveFiles();
  const settled = new Map<string, SettledBytes | undefined>();
  for (const file of unfinished.files) {
    onProgress(file);
    const archive = archiveFolder(folder);
    const found = await findRecords(archive, file, committed.get(file)?.fileEnd ?? 0, matches);
    settled.set(file, await eraseRecords(found, { folder: archive, now }));
  }
  removeLines(join(folder, 'clicks.jsonl'), matches);
  blankLines(pushInboxPath(folder), matches);
  forgetSubscriptions(folder, matches);
  // Derived, and full of titles: it is made again when somebody asks for it.
  removeTable(reportPath(folder));
  forgetMonitored(folder, matches);
  forgetExtracted(folder, matches);
  onProgress('the search index is made again');
  await rebuildIndex(folder);
  onProgress('state.db');
  state.complete(settled, { entries });
}

function notesOf(folder: string): string[] {
  const copies = readdirSync(folder).filter((name) => name === 'damaged' || name.startsWith('state.db.damaged'));
  if (copies.length === 0) return [];
  return [`Earlier repairs kept copies that may hold the pages still: ${copies.join(', ')}. Remove them yourself.`];
}
