import type { DatabaseSync } from 'node:sqlite';
import type { ChangeLog, ChangeQuery, LoggedChange } from '../../contracts/change-log.ts';
import type { PageChange } from '../../contracts/revisit.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { changeOf } from './change-rows.ts';
import { hasTable } from './state-database.ts';

interface ChangeRow {
  readonly number: number;
  readonly at: number;
  readonly url: CanonicalUrl;
  readonly kind: PageChange['kind'];
  readonly detail: string | null;
  readonly title: string | null;
}

const SLICE = 1000;

/** Reads the log of changes, also beside a running crawl. In slices: a long read would hold up the crawl's checkpoints. */
export class SqliteChangeLog implements ChangeLog {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  *changes(query: ChangeQuery): Generator<LoggedChange> {
    // Folders of earlier versions have no such table until they are crawled again.
    if (!hasTable(this.#db, 'change')) return;
    const kinds = query.kinds === undefined ? '' : 'AND kind IN (SELECT value FROM json_each(?))';
    const select = this.#db.prepare(`SELECT number, at, url, kind, detail, title FROM change
      WHERE number > ? AND number <= ? ${kinds} ORDER BY number LIMIT ?`);
    const { since, until, before = Number.MAX_SAFE_INTEGER } = query;
    const last = Math.min(
      before - 1,
      this.#lastWhere((at) => until === undefined || at < until),
    );
    let after = Math.max(query.after ?? 0, since === undefined ? 0 : this.#lastWhere((at) => at < since));
    if (query.last === true && query.limit !== undefined)
      after = this.#beforeLast(query.limit, after, last, query.kinds);
    for (let left = query.limit ?? Number.POSITIVE_INFINITY; left > 0; ) {
      const wanted = Math.min(left, SLICE);
      const of = query.kinds === undefined ? [] : [JSON.stringify(query.kinds)];
      const rows = select.all(after, last, ...of, wanted) as unknown as ChangeRow[];
      for (const row of rows) yield loggedChange(row);
      if (rows.length < wanted) return;
      after = rows[rows.length - 1].number;
      left -= rows.length;
    }
  }

  /** Number after which there are `count` changes up to `last`, or all after `after` where there are fewer. */
  #beforeLast(count: number, after: number, last: number, kinds: ChangeQuery['kinds']): number {
    const of = kinds === undefined ? '' : 'AND kind IN (SELECT value FROM json_each(?))';
    const first = this.#db
      .prepare(`SELECT min(number) AS number FROM
        (SELECT number FROM change WHERE number > ? AND number <= ? ${of} ORDER BY number DESC LIMIT ?)`)
      .get(after, last, ...(kinds === undefined ? [] : [JSON.stringify(kinds)]), count) as { number: number | null };
    return first.number === null ? after : first.number - 1;
  }

  /** The last change that is early enough, 0 where none is. Numbers have no gaps and times never fall: halving finds it. */
  #lastWhere(early: (at: number) => boolean): number {
    const at = this.#db.prepare('SELECT at FROM change WHERE number = ?');
    const { count } = this.#db.prepare('SELECT coalesce(max(number), 0) AS count FROM change').get() as {
      count: number;
    };
    let before = 0;
    for (let from = count + 1; from - before > 1; ) {
      const middle = Math.floor((before + from) / 2);
      if (early((at.get(middle) as { at: number }).at)) before = middle;
      else from = middle;
    }
    return before;
  }
}

function loggedChange({ number, at, url, kind, detail, title }: ChangeRow): LoggedChange {
  return { number, at, url, change: changeOf(kind, detail), ...(title === null ? {} : { title }) };
}
