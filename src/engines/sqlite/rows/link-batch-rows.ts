import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LinkBatch } from '../../../contracts/frontier.ts';

/** Links of settled pages that are not judged yet, in the order in which they came. */
export class LinkBatchRows {
  readonly #insert: StatementSync;
  readonly #first: StatementSync;
  readonly #delete: StatementSync;
  /** Kept in memory: asked at every turn of a crawl, and nearly always 0. */
  #waiting: number;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('INSERT INTO link_batch (links) VALUES (?)');
    this.#first = db.prepare('SELECT number, links FROM link_batch ORDER BY number LIMIT 1');
    this.#delete = db.prepare('DELETE FROM link_batch WHERE number = ?');
    this.#waiting = (db.prepare('SELECT count(*) AS n FROM link_batch').get() as { n: number }).n;
  }

  add(links: Uint8Array): void {
    this.#insert.run(links);
    this.#waiting++;
  }

  first(): LinkBatch | undefined {
    if (this.#waiting === 0) return undefined;
    const row = this.#first.get() as { number: number; links: Uint8Array };
    return { ...row, waiting: this.#waiting };
  }

  /** False where it was done with before. */
  remove({ number }: LinkBatch): boolean {
    if (this.#delete.run(number).changes === 0) return false;
    this.#waiting--;
    return true;
  }
}
