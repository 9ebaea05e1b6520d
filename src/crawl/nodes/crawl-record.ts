import { SETTING_KEYS, type SettingKey, type Settings, settingOf } from '../../base/settings/schema.ts';
import { settingName } from '../../base/settings/setting-names.ts';
import type { ForgottenPages } from '../../contracts/forgotten.ts';
import type { VersionedNotes } from '../../contracts/state/notes.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { SeedScopes } from '../../scope/seed-scopes.ts';
import { FORGOTTEN } from '../forget/unfinished.ts';
import type { RunRecord } from '../report/run-record.ts';

/** How a crawl of several nodes is done; kept in its store, for nodes that join. */
export interface CrawlRecord {
  /** By the names of orbweaver.yaml, without secrets and without what belongs to one machine. */
  readonly settings: Readonly<Record<string, string>>;
  readonly seeds: readonly CanonicalUrl[];
  readonly seedScopes?: SeedScopes;
}

/** Found when nothing was left to do; holds for the record of this version. */
export interface CrawlEnd {
  readonly recordVersion: number;
  readonly at: number;
}

const SCOPE = 'crawl';
const RECORD = 'record';
const END = 'end';
const RUN = 'run';

/** Of the machine that a node runs on. */
const OF_A_MACHINE: ReadonlySet<SettingKey> = new Set<SettingKey>([
  ...([
    'store',
    'workers',
    'concurrency',
    'bodyMemory',
    'nodeWeight',
    'searchAddress',
    'searchTimeout',
    'opensearchCa',
    'nodeNumber',
    'seed',
    'plugins',
    'index',
    'metricsPort',
    'metricsHost',
    'log',
    'logLevel',
    'traces',
    'traceSample',
  ] as const),
]);

export function recordedSettings(settings: Settings): Record<string, string> {
  const recorded: Record<string, string> = {};
  for (const key of SETTING_KEYS) {
    const { kind, fallback, secret } = settingOf(key);
    const written = kind.write(settings[key]);
    if (!secret && !OF_A_MACHINE.has(key) && written !== kind.write(fallback)) recorded[settingName(key)] = written;
  }
  return recorded;
}

export async function readRecord(
  notes: VersionedNotes,
): Promise<{ readonly value: CrawlRecord; readonly version: number } | undefined> {
  return await notes.read<CrawlRecord>(SCOPE, RECORD);
}

/** Whoever wrote last counts; seeds of others stay. Nothing is written where nothing has changed. */
export async function writeRecord(notes: VersionedNotes, record: CrawlRecord): Promise<void> {
  for (;;) {
    const before = await readRecord(notes);
    const seeds = [...new Set([...(before?.value.seeds ?? []), ...record.seeds])];
    const scopes = { ...before?.value.seedScopes, ...record.seedScopes };
    const merged = { ...record, seeds, ...(Object.keys(scopes).length === 0 ? {} : { seedScopes: scopes }) };
    if (before !== undefined && JSON.stringify(before.value) === JSON.stringify(merged)) return;
    if (await notes.write(SCOPE, RECORD, merged, before?.version ?? 0)) return;
  }
}

/** How the crawl was begun, for those who read it. */
export async function writeRun(notes: VersionedNotes, run: RunRecord): Promise<void> {
  const before = await notes.read<RunRecord>(SCOPE, RUN);
  // It begins once; two that write at the same time write the same.
  const { startedAt } = before?.value ?? run;
  await notes.write(SCOPE, RUN, { ...run, startedAt }, before?.version ?? 0);
}

/** The crawl as a folder would remember it; undefined where one process does it, or an earlier version began it. */
export async function readRun(notes: VersionedNotes): Promise<RunRecord | undefined> {
  const run = (await notes.read<RunRecord>(SCOPE, RUN))?.value;
  const record = await readRecord(notes);
  const end = (await notes.read<CrawlEnd>(SCOPE, END))?.value;
  if (run === undefined) return undefined;
  const { endedAt: _endedAt, ended: _ended, ...going } = run;
  const isOver = end !== undefined && end.recordVersion === record?.version;
  return {
    ...going,
    ...(record === undefined ? {} : { seeds: record.value.seeds }),
    ...(isOver ? { endedAt: end.at, ended: 'finished' as const } : {}),
  };
}

/** Pages that were deleted, and are not to be fetched again. */
export async function readForgottenNote(notes: VersionedNotes): Promise<ForgottenPages> {
  return (await notes.read<ForgottenPages>(SCOPE, FORGOTTEN))?.value ?? { entries: [] };
}

export async function writeForgottenNote(notes: VersionedNotes, forgotten: ForgottenPages): Promise<void> {
  const before = await notes.read<ForgottenPages>(SCOPE, FORGOTTEN);
  await notes.write(SCOPE, FORGOTTEN, forgotten, before?.version ?? 0);
}

/** Whether the crawl as it is recorded has come to its end. */
export async function hasEnded(notes: VersionedNotes, recordVersion: number): Promise<boolean> {
  return (await notes.read<CrawlEnd>(SCOPE, END))?.value.recordVersion === recordVersion;
}

export async function writeEnd(notes: VersionedNotes, end: CrawlEnd): Promise<void> {
  const before = await notes.read<CrawlEnd>(SCOPE, END);
  await notes.write(SCOPE, END, end, before?.version ?? 0);
}
