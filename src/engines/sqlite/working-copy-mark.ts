import type { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { readValue } from './rows/read-value.ts';
import { writeValue } from './rows/write-value.ts';

/** In `meta`: the state is that of a database elsewhere, by the name of which it goes. What is changed here alone is lost. */
const WORKING_COPY = 'working copy';

export function markWorkingCopy(db: DatabaseSync, store: string): void {
  writeValue(db, WORKING_COPY, store);
}

/** The store that a state is a working copy of; undefined where it is a state of its own. */
export function workingCopyOf(db: DatabaseSync): string | undefined {
  return readValue<string>(db, WORKING_COPY);
}

/** Whoever would change a state in place of its database. */
export function refuseWorkingCopy(db: DatabaseSync, folder: string): void {
  if (workingCopyOf(db) === undefined) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    `The state in ${folder} is a working copy: the crawl keeps its state in a database.`,
    {
      remedy:
        'Name the database with --store. A crawl makes a damaged copy again; other commands do not change it: move it into a folder first (orbweaver migrate).',
    },
  );
}
