import type { DatabaseSync } from 'node:sqlite';
import type { PageReader } from '../../../contracts/state/state-reader.ts';
import type { QueueLengths } from '../../sqlite/hosts/host-listing.ts';
import { SqliteStateReader } from '../../sqlite/sqlite-state-reader.ts';

/** The queues are not gathered: their lengths are, in the rows of the hosts. */
const gatheredLengths: QueueLengths = (db, host) =>
  (db.prepare('SELECT queued FROM host WHERE id = ?').get(host) as { queued: number }).queued;

/** Reads what was gathered of a crawl. */
export class GatheredReader extends SqliteStateReader {
  override readonly pages: PageReader;
  readonly #close: () => void;

  constructor(db: DatabaseSync, pagesOf: (local: PageReader) => PageReader, close: () => void) {
    super(db, gatheredLengths);
    this.pages = pagesOf(new SqliteStateReader(db, gatheredLengths).pages);
    this.#close = close;
  }

  override [Symbol.dispose](): void {
    this.#close();
  }
}
