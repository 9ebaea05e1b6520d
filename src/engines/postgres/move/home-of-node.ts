import type { DatabaseSync } from 'node:sqlite';
import { readValue } from '../../sqlite/rows/read-value.ts';
import { writeValue } from '../../sqlite/rows/write-value.ts';
import { createStateFile, statePath } from '../../sqlite/state-database.ts';
import { OF_A_PARTITION } from './spread-rows.ts';
import { putInPlace } from './staging.ts';

/** In the state of a folder: whose it is. */
const NODE = 'node';

/**
 * The state of a folder becomes that of a node: what it has learnt, and how it was crawled. Its pages and URLs, which are all in the database, are in
 * it no longer.
 */
export function becomeNode(folder: string, staging: string, node: object): void {
  const path = statePath(staging);
  {
    using db = createStateFile(path);
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    db.prepare('ATTACH ? AS old').run(statePath(folder));
    const left = [...OF_A_PARTITION, 'counters'].map((name) => `'${name}'`).join(', ');
    db.exec(`BEGIN; INSERT INTO main.meta SELECT * FROM old.meta WHERE name NOT IN (${left});
      INSERT INTO main.learning SELECT * FROM old.learning`);
    writeValue(db, NODE, node);
    db.exec('COMMIT; DETACH old');
  }
  putInPlace(staging, folder);
}

/** The crawl whose node a folder belongs to; undefined where it is that of a whole crawl. */
export function crawlOfNode(state: DatabaseSync): string | undefined {
  return readValue<{ readonly store: string }>(state, NODE)?.store;
}
