import { existsSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlState } from '../../contracts/state/crawl-state.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import { lockFolder } from '../folder-lock.ts';
import type { AdaptOptions } from '../sqlite/sqlite-state.ts';
import { openStateForReading, statePath } from '../sqlite/state-database.ts';
import { workingCopyOf } from '../sqlite/working-copy-mark.ts';
import { storageError } from '../storage-error.ts';
import { PostgresConnection, storeError } from './connection.ts';
import { LeaseRenewal } from './lease-renewal.ts';
import { migrate } from './migrate.ts';
import { PostgresState } from './postgres-state.ts';

export interface StoreToOpen {
  /** The address of the database. */
  readonly url: string;
  /** Holds the working copy; one process at a time has it. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly options: FrontierOptions;
  readonly adapt?: AdaptOptions;
}

/** Another node may take over after so long without a sign of life. */
const LEASE_MS = 30_000;
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * The state of a crawl that one process does, with a single partition. Its working copy is the state of the folder, so that
 * whatever reads a folder reads it.
 */
export async function openPostgresState({
  url,
  folder,
  clock,
  random,
  options,
  adapt,
}: StoreToOpen): Promise<CrawlState> {
  mkdirSync(folder, { recursive: true });
  const schema = schemaOf(url);
  await using opened = new AsyncDisposableStack();
  opened.use(lockFolder(folder));
  const store = new PostgresConnection({ url, schema });
  opened.use(store);
  try {
    await migrate(store, schema);
    const state = await PostgresState.open({
      ...{ store, clock, random, options, leaseMs: LEASE_MS, partitions: 1 },
      // The lock of the folder lets in one process at a time: that before has ended.
      node: `${hostname()}:${resolve(folder)}`,
      copyPath: () => statePath(folder),
      ...(adapt === undefined ? {} : { adapt }),
    });
    if (state.partitions.count > 1)
      throw new OrbweaverError('SETTING_INVALID', 'This database holds a crawl of several partitions.', {
        remedy: 'Name another database or schema with --store: this version crawls with one process.',
      });
    refuseOther(folder, state.id);
    opened.use(state);
    opened.use(new LeaseRenewal(state.partitions, clock, LEASE_MS));
    const parts = opened.move();
    return {
      partitions: state.partitions,
      exchange: state.exchange,
      notes: state.notes,
      open: (lease) => state.open(lease),
      [Symbol.asyncDispose]: () => parts.disposeAsync(),
    };
  } catch (error) {
    throw storeError(error);
  }
}

/** `?schema=` of the address: several crawls can share a database. */
function schemaOf(url: string): string {
  const schema = new URL(url).searchParams.get('schema') ?? 'orbweaver';
  if (SCHEMA.test(schema)) return schema;
  throw new OrbweaverError('SETTING_INVALID', `${schema} is no name of a schema.`, {
    remedy: 'Use lower-case letters, digits and underscores in ?schema= of --store.',
  });
}

/** What is in the folder would be replaced by what is in the database. */
function refuseOther(folder: string, id: string): void {
  if (!existsSync(statePath(folder))) return;
  const copied = copiedStore(folder);
  if (copied === id) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    copied === undefined
      ? `The crawl in ${folder} keeps its state in the folder, not in a database.`
      : `The crawl in ${folder} keeps its state in another database.`,
    {
      remedy: 'Choose another folder with --dir, or leave --store as it was when the crawl began. Nothing was changed.',
    },
  );
}

/** A damaged state does not say whose it is: it may be the only one. A repair would make it one. */
function copiedStore(folder: string): string | undefined {
  try {
    using db = openStateForReading(folder);
    return workingCopyOf(db);
  } catch (error) {
    const cause = storageError(error, folder);
    if (cause.code !== 'FOLDER_CORRUPT') throw cause;
    throw new OrbweaverError('FOLDER_CORRUPT', cause.message, {
      remedy: `If the crawl in ${folder} keeps its state in this database, delete state.db, state.db-wal and state.db-shm there: they are made again.`,
      cause,
    });
  }
}
