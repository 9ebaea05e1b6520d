import type { DatabaseSync } from 'node:sqlite';
import type { ChangeLog, ChangeQuery, LoggedChange } from '../../contracts/change-log.ts';
import type { PageChange } from '../../contracts/revisit.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { changeOf, timesNeverFell } from './rows/change-rows.ts';
import { hasTable } from './state-database.ts';

interface ChangeRow {
  readonly number: number;
  readonly at: number;
  readonly url: CanonicalUrl;
  readonly kind: PageChange['kind'];
  readonly detail: string | null;
  readonly title: string | null;
}

interface Conditions {
  readonly sql: string;
  readonly values: readonly (string | number)[];
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
    const { since, until, before = Number.MAX_SAFE_INTEGER } = query;
    const rises = timesNeverFell(this.#db);
    const early = (at: number): boolean => until === undefined || at < until;
    const last = Math.min(before - 1, rises ? this.#lastWhere(early) : Number.MAX_SAFE_INTEGER);
    const first = since === undefined || !rises ? 0 : this.#lastWhere((at) => at < since);
    const wanted = conditionsOf(query, rises);
    let after = Math.max(query.after ?? 0, first);
    if (query.last === true && query.limit !== undefined) after = this.#beforeLast(query.limit, after, last, wanted);
    const select = this.#db.prepare(`SELECT number, at, url, kind, detail, title FROM change
      WHERE number > ? AND number <= ? ${wanted.sql} ORDER BY number LIMIT ?`);
    for (let left = query.limit ?? Number.POSITIVE_INFINITY; left > 0; ) {
      const most = Math.min(left, SLICE);
      const rows = select.all(after, last, ...wanted.values, most) as unknown as ChangeRow[];
      for (const row of rows) yield loggedChange(row);
      if (rows.length < most) return;
      after = rows[rows.length - 1].number;
      left -= rows.length;
    }
  }

  /** Number after which there are `count` changes up to `last`, or all after `after` where there are fewer. */
  #beforeLast(count: number, after: number, last: number, wanted: Conditions): number {
    const first = this.#db
      .prepare(`SELECT min(number) AS number FROM
        (SELECT number FROM change WHERE number > ? AND number <= ? ${wanted.sql} ORDER BY number DESC LIMIT ?)`)
      .get(after, last, ...wanted.values, count) as { number: number | null };
    return first.number === null ? after : first.number - 1;
  }

  /** The last change that is early enough, 0 where none is. Numbers have no gaps; where times never fall, halving finds it. */
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

/** What numbers do not tell: kinds, and times where a clock that was wrong has written some. */
function conditionsOf({ since, until, kinds }: ChangeQuery, rises: boolean): Conditions {
  const values: (string | number)[] = [];
  let sql = '';
  const add = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    sql += ` AND ${condition}`;
    values.push(value);
  };
  add('kind IN (SELECT value FROM json_each(?))', kinds && JSON.stringify(kinds));
  if (!rises) {
    add('at >= ?', since);
    add('at < ?', until);
  }
  return { sql, values };
}

function loggedChange({ number, at, url, kind, detail, title }: ChangeRow): LoggedChange {
  return { number, at, url, change: changeOf(kind, detail), ...(title === null ? {} : { title }) };
}
