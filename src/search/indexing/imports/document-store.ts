import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../../base/fingerprint.ts';
import { storageError } from '../../../engines/storage-error.ts';
import { type ImportedDocument, packBlock, unpackBlock, unpackDocument } from './document-block.ts';

/** Characters of a row at least. A row is read whole for one snippet, so most rows hold one document. */
const BLOCK_CHARACTERS = 1024;
/** Rows of one document fit smaller pages badly, and a row that does not fit one is read in several parts. */
const PAGE_BYTES = 16 * 1024;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS block (number INTEGER PRIMARY KEY, content BLOB NOT NULL);
-- How many documents of a block count still; beside the block, whose row is too large to be written for a number.
CREATE TABLE IF NOT EXISTS block_use (number INTEGER PRIMARY KEY, documents INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS document (fp INTEGER PRIMARY KEY, block INTEGER NOT NULL, slot INTEGER NOT NULL);
`;

export function documentStorePath(folder: string): string {
  return join(folder, 'documents.db');
}

/**
 * The texts of imported documents: blocks of many documents, each compressed by itself and found by its id. Of two
 * with one id the last counts. Everything put is durable with `commit`, all or nothing.
 */
export class DocumentStore implements Disposable {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #place: StatementSync;
  readonly #found: StatementSync;
  #writing: ReturnType<typeof prepareWriting> | undefined;
  #waiting: ImportedDocument[] = [];
  #waitingCharacters = 0;
  #open = false;

  constructor(folder: string, options: { readonly readOnly?: boolean } = {}) {
    this.#folder = folder;
    try {
      if (options.readOnly !== true) mkdirSync(folder, { recursive: true });
      this.#db = new DatabaseSync(documentStorePath(folder), { readOnly: options.readOnly === true });
      this.#db.exec('PRAGMA busy_timeout = 5000');
      // The size of pages holds for new databases; others keep theirs.
      if (options.readOnly !== true)
        this.#db.exec(
          `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`,
        );
      this.#place = this.#db.prepare('SELECT block, slot FROM document WHERE fp = ?');
      this.#found = this.#db.prepare(`SELECT content, slot FROM document JOIN block ON number = block
        WHERE fp IN (SELECT value FROM json_each(?))`);
    } catch (error) {
      throw storageError(error, folder);
    }
  }

  put(document: ImportedDocument): void {
    this.#waiting.push(document);
    this.#waitingCharacters += document.text.length + document.title.length;
    if (this.#waitingCharacters >= BLOCK_CHARACTERS) this.#writeBlock();
  }

  commit(): void {
    this.#writeBlock();
    if (!this.#open) return;
    try {
      // A block whose documents have all come again holds nothing any more.
      this.#db.exec(`DELETE FROM block WHERE number IN (SELECT number FROM block_use WHERE documents = 0);
        DELETE FROM block_use WHERE documents = 0; COMMIT`);
    } catch (error) {
      throw storageError(error, this.#folder);
    }
    this.#open = false;
  }

  /** As it was last committed. */
  get(id: string): ImportedDocument | undefined {
    return this.getAll([id]).get(id);
  }

  /** Those that are held, by their ids. */
  getAll(ids: readonly string[]): Map<string, ImportedDocument> {
    const wanted = new Set(ids);
    const found = new Map<string, ImportedDocument>();
    const rows = this.#found.all(`[${ids.map((id) => toSigned(fingerprint(id))).join()}]`);
    for (const { content, slot } of rows as { content: Uint8Array; slot: number }[]) {
      const document = unpackDocument(content, slot);
      if (document !== undefined && wanted.has(document.id)) found.set(document.id, document);
    }
    return found;
  }

  /** Every document once, in the order in which they came last. */
  *all(): Generator<ImportedDocument> {
    const rows = this.#db.prepare('SELECT number, content FROM block ORDER BY number');
    for (const row of rows.iterate() as Iterable<unknown>) {
      const { number, content } = row as { number: number; content: Uint8Array };
      for (const [slot, document] of unpackBlock(content).entries()) {
        const place = this.#place.get(toSigned(fingerprint(document.id))) as
          | { block: number; slot: number }
          | undefined;
        if (place?.block === number && place.slot === slot) yield document;
      }
    }
  }

  get count(): number {
    return (this.#db.prepare('SELECT count(*) AS n FROM document').get() as { n: number }).n;
  }

  [Symbol.dispose](): void {
    // What was put but not committed is given up with its transaction.
    this.#db.close();
  }

  #writeBlock(): void {
    if (this.#waiting.length === 0) return;
    try {
      if (!this.#open) this.#db.exec('BEGIN IMMEDIATE');
      this.#open = true;
      const documents = this.#waiting;
      this.#writing ??= prepareWriting(this.#db);
      const { block, use, leave, write } = this.#writing;
      const { lastInsertRowid } = block.run(packBlock(documents));
      use.run(lastInsertRowid, documents.length);
      for (const [slot, { id }] of documents.entries()) {
        const fp = toSigned(fingerprint(id));
        const before = this.#place.get(fp) as { block: number } | undefined;
        if (before !== undefined) leave.run(before.block);
        write.run(fp, lastInsertRowid, slot);
      }
      this.#waiting = [];
      this.#waitingCharacters = 0;
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }
}

function prepareWriting(db: DatabaseSync) {
  return {
    block: db.prepare('INSERT INTO block (content) VALUES (?)'),
    use: db.prepare('INSERT INTO block_use (number, documents) VALUES (?, ?)'),
    leave: db.prepare('UPDATE block_use SET documents = documents - 1 WHERE number = ?'),
    write: db.prepare('INSERT OR REPLACE INTO document (fp, block, slot) VALUES (?, ?, ?)'),
  };
}
