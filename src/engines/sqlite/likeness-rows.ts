import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fromSigned, toSigned } from '../../base/fingerprint.ts';
import type { KeptLikeness } from '../../contracts/crawl-task.ts';
import type { Likeness, LikenessStore } from '../../contracts/likeness.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';

interface LikenessRow {
  simhash: bigint;
  shingles: bigint;
  sketch: Uint8Array;
}

/** What finds pages that are nearly the same, a row per document that is compared. */
export class LikenessRows implements LikenessStore {
  readonly #db: DatabaseSync;
  readonly #write: StatementSync;
  readonly #delete: StatementSync;
  readonly #read: StatementSync;
  readonly #url: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#write = db.prepare(`INSERT OR REPLACE INTO likeness
      (document, page, simhash, shingles, sketch, near_to, jaccard) VALUES (?, ?, ?, ?, ?, ?, ?)`);
    this.#delete = db.prepare('DELETE FROM likeness WHERE document = ?');
    this.#read = db.prepare('SELECT simhash, shingles, sketch FROM likeness WHERE document = ?');
    this.#read.setReadBigInts(true);
    this.#url = db.prepare('SELECT url FROM page WHERE fp = (SELECT page FROM likeness WHERE document = ?)');
  }

  /** `page`: fingerprint of its URL, as the page table has it. */
  write(page: bigint, { document, simhash, shingles, sketch, nearTo, jaccard }: KeptLikeness): void {
    this.#write.run(document, page, toSigned(simhash), shingles, sketch, nearTo ?? null, jaccard ?? null);
  }

  remove(document: number): void {
    this.#delete.run(document);
  }

  likeness(document: number): Likeness | undefined {
    const row = this.#read.get(document) as unknown as LikenessRow | undefined;
    return row && likenessOf(row);
  }

  urlOf(document: number): CanonicalUrl | undefined {
    return (this.#url.get(document) as { url: CanonicalUrl } | undefined)?.url;
  }

  /** The highest number given so far, also to a document that has gone since but is still referred to. */
  last(): number {
    const last = this.#db.prepare('SELECT max(max(document, coalesce(near_to, 0))) AS last FROM likeness').get();
    return (last as { last: number | null }).last ?? 0;
  }

  /** All of them, in the order of their numbers. */
  *all(): Generator<readonly [document: number, likeness: Likeness]> {
    const rows = this.#db.prepare('SELECT document, simhash, shingles, sketch FROM likeness');
    rows.setReadBigInts(true);
    for (const row of rows.iterate() as Iterable<unknown>) {
      yield [Number((row as { document: bigint }).document), likenessOf(row as LikenessRow)];
    }
  }
}

function likenessOf({ simhash, shingles, sketch }: LikenessRow): Likeness {
  return { simhash: fromSigned(simhash), shingles: Number(shingles), sketch };
}
