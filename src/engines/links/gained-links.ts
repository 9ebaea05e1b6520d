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
  readonly #uncounted: StatementSync;
  readonly #list: StatementSync;
  readonly #told: StatementSync;
  readonly #remove: StatementSync;
  readonly #tellAll: StatementSync;
  readonly #removeAll: StatementSync;
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
    this.#uncounted = db.prepare('SELECT fp, gained FROM page WHERE told IS NULL AND gained >= ? LIMIT ?');
    this.#uncounted.setReadBigInts(true);
    this.#list = db.prepare(
      'SELECT pending.fp AS fp, visit.url AS url FROM pending JOIN page USING (fp) JOIN visit ON visit.no = page.visit ORDER BY pending.fp LIMIT ?',
    );
    this.#list.setReadBigInts(true);
    this.#told = db.prepare('UPDATE page SET told = coalesce(told, 0) + gained, gained = 0 WHERE fp = ?');
    this.#remove = db.prepare('DELETE FROM pending WHERE fp = ?');
    this.#tellAll = db.prepare('UPDATE page SET told = told + gained, gained = 0 WHERE gained > 0');
    this.#removeAll = db.prepare('DELETE FROM pending');
  }

  /** Part of a transaction. */
  gain(hi: number, lo: number, links: number): void {
    this.#halves[0] = lo;
    this.#halves[1] = hi;
    const fp = this.#key[0];
    const row = this.#gain.get(links, fp) as { told: number | null; gained: number } | undefined;
    // What a page had before is counted when somebody asks: most crawls end before that.
    if (row === undefined || row.told === null || row.gained < Math.max(LEAST_GAIN, row.told)) return;
    this.#add.run(fp);
  }

  /** Whatever its links have gained: what they say has changed. Part of a transaction. */
  renew(fp: bigint): void {
    this.#add.run(fp);
    // Told a moment ago, but of what was then: the next commit must not forget that there is more.
    this.#given.delete(fp);
  }

  /** URLs of such pages. They are not told again once the next commit has come. Part of a transaction. */
  take(limit: number): readonly string[] {
    this.#countFormer(limit);
    const rows = this.#list.all(limit + this.#given.size) as unknown as { fp: bigint; url: string }[];
    const fresh = rows.filter(({ fp }) => !this.#given.has(fp)).slice(0, limit);
    for (const { fp } of fresh) this.#given.add(fp);
    return fresh.map(({ url }) => url);
  }

  /** No page is such a one any more: the index holds the links of all. Part of a transaction. */
  clear(): void {
    this.#tellAll.run();
    this.#removeAll.run();
    this.#given.clear();
  }

  /** Pages that have gained links for the first time: whether these are as many as they had. */
  #countFormer(limit: number): void {
    const rows = this.#uncounted.all(LEAST_GAIN, limit) as unknown as { fp: bigint; gained: bigint }[];
    for (const { fp, gained: count } of rows) {
      this.#key[0] = fp;
      const gained = Number(count);
      const told = Math.max(0, this.#count(this.#halves[1], this.#halves[0]) - gained);
      this.#note.run(told, fp);
      if (gained >= told) this.#add.run(fp);
    }
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
