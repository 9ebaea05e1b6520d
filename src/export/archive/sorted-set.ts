import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * Texts in the order of their bytes, each once, in a database of its own that lies in the temporary folder and goes with it: memory does
 * not grow with them.
 */
export class SortedSet implements Disposable {
  readonly #database = new DatabaseSync('');
  readonly #insert: StatementSync;
  readonly #look: StatementSync;

  constructor() {
    this.#database.exec('PRAGMA cache_size = -16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    this.#database.exec('CREATE TABLE entry (text TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN');
    this.#insert = this.#database.prepare('INSERT OR IGNORE INTO entry VALUES (?)');
    this.#look = this.#database.prepare('SELECT 1 FROM entry WHERE text = ?');
  }

  /** False where it was there already. */
  add(text: string): boolean {
    return this.#insert.run(text).changes > 0;
  }

  has(text: string): boolean {
    return this.#look.get(text) !== undefined;
  }

  *[Symbol.iterator](): Generator<string> {
    const rows = this.#database.prepare('SELECT text FROM entry ORDER BY text').iterate();
    for (const row of rows) yield (row as { readonly text: string }).text;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
