import { SETTING_KEYS, type SettingKey, type Settings, settingOf } from '../../base/settings/schema.ts';
import { settingName } from '../../base/settings/setting-names.ts';
import type { VersionedNotes } from '../../contracts/state/notes.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { SeedScopes } from '../../scope/seed-scopes.ts';

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

/** Of the machine that a node runs on. */
const OF_A_MACHINE: ReadonlySet<SettingKey> = new Set<SettingKey>([
  ...(['store', 'workers', 'concurrency', 'bodyMemory', 'nodeWeight', 'seed', 'plugins', 'index'] as const),
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

/** Whether the crawl as it is recorded has come to its end. */
export async function hasEnded(notes: VersionedNotes, recordVersion: number): Promise<boolean> {
  return (await notes.read<CrawlEnd>(SCOPE, END))?.value.recordVersion === recordVersion;
}

export async function writeEnd(notes: VersionedNotes, end: CrawlEnd): Promise<void> {
  const before = await notes.read<CrawlEnd>(SCOPE, END);
  await notes.write(SCOPE, END, end, before?.version ?? 0);
}
