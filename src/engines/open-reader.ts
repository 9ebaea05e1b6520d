import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { QueueCounts, StateReader } from '../contracts/state/state-reader.ts';
import { SqliteStateReader } from './sqlite/sqlite-state-reader.ts';
import { openStateFile, openStateForReading } from './sqlite/state-database.ts';

/** Opens the state of a crawl folder for reading, also beside a running crawl. The folder must hold a crawl. */
export function openStateReader(folder: string): StateReader {
  return new SqliteStateReader(openStateForReading(folder));
}

/** The pages that a node of a crawl has stored: kept while it works, and compared with its database when it starts and ends. */
export function pagesPath(folder: string): string {
  return join(folder, 'pages.db');
}

/** The same as `openStateReader` for those who read the pages in the archive of the folder: a node has them apart from its state. */
export function openPagesReader(folder: string): StateReader {
  const path = pagesPath(folder);
  return existsSync(path)
    ? new NodePagesReader(openStateFile(path, folder), openStateReader(folder))
    : openStateReader(folder);
}

/** The pages of a node; how it is run stands in its own state. */
class NodePagesReader extends SqliteStateReader {
  readonly #home: StateReader;

  constructor(pages: DatabaseSync, home: StateReader) {
    super(pages);
    this.#home = home;
  }

  override read<T>(name: string): T | undefined {
    return this.#home.read(name);
  }

  override queueCounts(): QueueCounts {
    return this.#home.queueCounts();
  }

  override [Symbol.dispose](): void {
    super[Symbol.dispose]();
    this.#home[Symbol.dispose]();
  }
}
