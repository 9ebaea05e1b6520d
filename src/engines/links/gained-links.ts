import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Fewer new links are not worth indexing a page again. */
const LEAST_GAIN = 4;

/**
 * Which visited pages have gained so many links since they were last told that their words in the index are out of date:
 * as many again as there were, and a few at least. A page that is indexed soon after it is found has most of its links
 * still to come.
 */
export class GainedLinks {
  readonly #gain: StatementSync;
  readonly #note: StatementSync;
  readonly #add: StatementSync;
  readonly #list: StatementSync;
  readonly #told: StatementSync;
  readonly #remove: StatementSync;
  readonly #count: (hi: number, lo: number) => number;
  /** Told, but the commit that makes it so is still to come. */
  #given = new Set<bigint>();
  readonly #key = new BigInt64Array(1);
  readonly #halves = new Uint32Array(this.#key.buffer);

  /** `count` tells how many links a target has in all. */
  constructor(db: DatabaseSync, count: (hi: number, lo: number) => number) {
    this.#count = count;
    this.#gain = db.prepare('UPDATE page SET gained = gained + ? WHERE fp = ? RETURNING told, gained');
    this.#note = db.prepare('UPDATE page SET told = ? WHERE fp = ?');
    this.#add = db.prepare('INSERT OR IGNORE INTO pending (fp) VALUES (?)');
    this.#list = db.prepare(
      'SELECT pending.fp AS fp, visit.url AS url FROM pending JOIN page USING (fp) JOIN visit ON visit.no = page.visit ORDER BY pending.fp LIMIT ?',
    );
    this.#list.setReadBigInts(true);
    this.#told = db.prepare('UPDATE page SET told = coalesce(told, 0) + gained, gained = 0 WHERE fp = ?');
    this.#remove = db.prepare('DELETE FROM pending WHERE fp = ?');
  }

  /** Part of a transaction. */
  gain(hi: number, lo: number, links: number): void {
    this.#halves[0] = lo;
    this.#halves[1] = hi;
    const fp = this.#key[0];
    const row = this.#gain.get(links, fp) as { told: number | null; gained: number } | undefined;
    if (row === undefined || row.gained < Math.max(LEAST_GAIN, row.told ?? 0)) return;
    let { told } = row;
    if (told === null) {
      // Counted when it matters for the first time: most pages never get here.
      told = Math.max(0, this.#count(hi, lo) - row.gained);
      this.#note.run(told, fp);
    }
    if (row.gained >= told) this.#add.run(fp);
  }

  /** Whatever its links have gained: what they say has changed. Part of a transaction. */
  renew(fp: bigint): void {
    this.#add.run(fp);
    // Told a moment ago, but of what was then: the next commit must not forget that there is more.
    this.#given.delete(fp);
  }

  /** URLs of such pages. They are not told again once the next commit has come. */
  take(limit: number): readonly string[] {
    const rows = this.#list.all(limit + this.#given.size) as unknown as { fp: bigint; url: string }[];
    const fresh = rows.filter(({ fp }) => !this.#given.has(fp)).slice(0, limit);
    for (const { fp } of fresh) this.#given.add(fp);
    return fresh.map(({ url }) => url);
  }

  /** Part of a transaction. */
  save(): void {
    for (const fp of this.#given) {
      this.#told.run(fp);
      this.#remove.run(fp);
    }
    this.#given.clear();
  }
}
