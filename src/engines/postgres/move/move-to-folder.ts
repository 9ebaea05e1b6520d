import { existsSync } from 'node:fs';
import type { Clock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/make-folder.ts';
import type { Message } from '../../../contracts/state/exchange.ts';
import type { SettledBytes } from '../../../contracts/state/state-reader.ts';
import { lockFolder } from '../../folder-lock.ts';
import { readArchiveFiles } from '../../sqlite/rows/archive-file-rows.ts';
import { writeValue } from '../../sqlite/rows/write-value.ts';
import { openStateForReading, statePath } from '../../sqlite/state-database.ts';
import { workingCopyOf } from '../../sqlite/working-copy-mark.ts';
import { PostgresConnection, storeError } from '../connection.ts';
import { firstHosts, gatherTables } from '../gather/gather-tables.ts';
import { GatheredState } from '../gather/gathered-state.ts';
import { migrate } from '../migrate.ts';
import { requireTables, schemaOf } from '../open-postgres-state.ts';
import { PostgresExchange } from '../postgres-exchange.ts';
import { TABLES } from '../tables.ts';
import { clockShift, holdPartitions } from './hold-partitions.ts';
import { makeStaging, putInPlace } from './staging.ts';

export interface MoveToFolder {
  readonly url: string;
  readonly folder: string;
  readonly clock: Clock;
  /** Values of the crawl as a whole that its partitions do not have. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Brings the archive, before the state in the folder counts. */
  readonly bringArchive: (files: ReadonlyMap<string, SettledBytes>) => Promise<void>;
  /** Applies what partitions have sent to each other and nobody has taken in yet, to the state in `folder`, before it counts. */
  readonly applyMessages?: (messages: readonly Message[], folder: string) => Promise<void>;
}

export interface MovedToFolder {
  readonly partitions: number;
  readonly pages: number;
}

const MOST_MESSAGES = 1_000_000_000;

/** Puts the partitions of a crawl together into the state of a folder. What is in the database stays as it is. Killed, it begins again. */
export async function moveToFolder(move: MoveToFolder): Promise<MovedToFolder> {
  const { url, folder, clock, values, bringArchive, applyMessages } = move;
  const schema = schemaOf(url);
  makeFolder(folder);
  using _lock = lockFolder(folder);
  await using store = new PostgresConnection({ url, schema });
  try {
    const spread = await requireTables(store, schema);
    const { id, count } = spread;
    refuseOther(folder, id);
    await migrate(store, schema);
    await using held = await holdPartitions(store, spread, clock);
    const firstHost = await firstHosts(store, count, 0);
    const staging = makeStaging(folder);
    const path = statePath(staging);
    const { pages, files } = await (async () => {
      using gathered = new GatheredState({ path, firstHost, shiftMs: await clockShift(store, clock) });
      await gatherTables(
        store,
        count,
        TABLES.map(({ name }) => name),
        gathered,
      );
      gathered.complete();
      if (count > 1) gathered.countQueues();
      for (const lease of held.leases) gathered.markBusy(lease.partition, held.partitions.held(lease)?.busy ?? []);
      for (const [name, value] of Object.entries(values)) writeValue(gathered.db, name, value);
      return { pages: gathered.count('page'), files: readArchiveFiles(gathered.db) };
    })();
    const messages = await new PostgresExchange(store, held.partitions).receive(held.leases, MOST_MESSAGES);
    if (messages.length > 0) await applyMessages?.(messages, staging);
    await bringArchive(files);
    putInPlace(staging, folder);
    return { partitions: count, pages };
  } catch (error) {
    throw storeError(error);
  }
}

/** The state of another crawl is not replaced. */
function refuseOther(folder: string, id: string): void {
  if (!existsSync(statePath(folder))) return;
  using db = openStateForReading(folder);
  if (workingCopyOf(db) === id) return;
  throw new OrbweaverError('SETTING_INVALID', `${folder} holds a crawl already.`, {
    remedy: 'Name another folder with --to. Nothing was changed.',
  });
}
