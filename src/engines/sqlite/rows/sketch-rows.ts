import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fromSigned, toSigned } from '../../../base/fingerprint.ts';
import type { ContentSketch } from '../../../contracts/content/content-sketch.ts';
import type { NearChange, SketchSnapshot } from '../../../contracts/crawl-task.ts';
import type { SketchKeeper } from '../../../contracts/state/sketch-keeper.ts';
import type { CanonicalUrl } from '../../../contracts/url.ts';

export interface SketchRow {
  simhash: bigint;
  shingles: bigint;
  sketch: Uint8Array;
}

/** What finds pages that are nearly the same, a row per document that is compared. */
export class SketchRows implements SketchKeeper {
  readonly #db: DatabaseSync;
  readonly #write: StatementSync;
  readonly #delete: StatementSync;
  readonly #leave: StatementSync;
  readonly #change: StatementSync;
  readonly #read: StatementSync;
  readonly #left: StatementSync;
  readonly #url: StatementSync;
  readonly #nearTo: StatementSync;
  readonly #members: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#write = db.prepare(`INSERT OR REPLACE INTO likeness
      (document, page, simhash, shingles, sketch, near_to, jaccard) VALUES (?, ?, ?, ?, ?, ?, ?)`);
    this.#delete = db.prepare('DELETE FROM likeness WHERE document = ?');
    this.#leave = db.prepare('UPDATE likeness SET has_left = 1, near_to = NULL, jaccard = NULL WHERE document = ?');
    this.#change = db.prepare('UPDATE likeness SET near_to = ?, jaccard = ? WHERE document = ?');
    const select = 'SELECT simhash, shingles, sketch FROM likeness WHERE document = ? AND has_left';
    this.#read = db.prepare(`${select} IS NULL`);
    this.#read.setReadBigInts(true);
    this.#left = db.prepare(`${select} IS NOT NULL`);
    this.#left.setReadBigInts(true);
    this.#nearTo = db.prepare('SELECT near_to AS nearTo FROM likeness WHERE document = ?');
    this.#members = db.prepare('SELECT document FROM likeness WHERE near_to = ?');
    this.#url = db.prepare('SELECT url FROM page WHERE fp = (SELECT page FROM likeness WHERE document = ?)');
  }

  /** `page`: fingerprint of its URL, as the page table has it. */
  write(page: bigint, { document, simhash, shingles, sketch, nearTo, jaccard }: SketchSnapshot): void {
    this.#write.run(document, page, toSigned(simhash), shingles, sketch, nearTo ?? null, jaccard ?? null);
  }

  remove(document: number): void {
    this.#delete.run(document);
  }

  /** Its page is gone for now: it is compared with nothing, but kept for the case that the page comes back as it was. */
  leave(document: number): void {
    this.#leave.run(document);
  }

  /** It is near to another document, or to none. */
  change({ document, near }: NearChange): void {
    this.#change.run(near?.document ?? null, near?.jaccard ?? null, document);
  }

  contentSketch(document: number): ContentSketch | undefined {
    const row = this.#read.get(document) as unknown as SketchRow | undefined;
    return row && sketchOf(row);
  }

  left(document: number): ContentSketch | undefined {
    const row = this.#left.get(document) as unknown as SketchRow | undefined;
    return row && sketchOf(row);
  }

  nearTo(document: number): number | undefined {
    return (this.#nearTo.get(document) as { nearTo: number | null } | undefined)?.nearTo ?? undefined;
  }

  members(document: number): readonly number[] {
    return (this.#members.all(document) as unknown as { document: number }[]).map((row) => row.document);
  }

  urlOf(document: number): CanonicalUrl | undefined {
    return (this.#url.get(document) as { url: CanonicalUrl } | undefined)?.url;
  }

  any(): ContentSketch | undefined {
    const statement = this.#db.prepare('SELECT simhash, shingles, sketch FROM likeness LIMIT 1');
    statement.setReadBigInts(true);
    const row = statement.get() as unknown as SketchRow | undefined;
    return row && sketchOf(row);
  }

  /** The highest number given so far, also to a document that has gone since but is still referred to. */
  last(): number {
    const last = this.#db.prepare('SELECT max(max(document, coalesce(near_to, 0))) AS last FROM likeness').get();
    return (last as { last: number | null }).last ?? 0;
  }

  /** All whose pages are there, in the order of their numbers. */
  *all(): Generator<readonly [document: number, sketch: ContentSketch]> {
    const rows = this.#db.prepare('SELECT document, simhash, shingles, sketch FROM likeness WHERE has_left IS NULL');
    rows.setReadBigInts(true);
    for (const row of rows.iterate() as Iterable<unknown>) {
      yield [Number((row as { document: bigint }).document), sketchOf(row as SketchRow)];
    }
  }
}

export function sketchOf({ simhash, shingles, sketch }: SketchRow): ContentSketch {
  return { simhash: fromSigned(simhash), shingles: Number(shingles), sketch };
}
