import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { RowFields, RuleSet } from '../../contracts/content/extraction-rules.ts';
import type { RowChange, RowQuery, RowReader, StoredRow, StoredSet } from '../../contracts/state/row-store.ts';

interface RowRecord {
  readonly number: number;
  readonly set_name: string;
  readonly url: string;
  readonly at: number | null;
  readonly first_seen: number;
  readonly changed_at: number;
  readonly gone_at: number | null;
  readonly fields: string;
}

interface ChangeRecord extends Pick<RowRecord, 'number' | 'set_name' | 'url' | 'fields'> {
  readonly at: number;
  readonly kind: RowChange['kind'];
  readonly by_rules: number;
}

/** What rules have read, for who looks. */
export class SqliteRowReader implements RowReader {
  protected readonly db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  sets(): StoredSet[] {
    const sets = this.db.prepare('SELECT * FROM rule_set ORDER BY name').all() as unknown as {
      name: string;
      rules: string;
      digest: string;
      is_current: number;
    }[];
    return sets.map(({ name, rules: written, digest, is_current }) => {
      const rules = JSON.parse(written) as RuleSet;
      const one = (sql: string): Record<string, unknown> => this.db.prepare(sql).get(name) ?? {};
      const pages = Number(one('SELECT count(*) AS n FROM page WHERE set_name = ?').n);
      const rows = one('SELECT count(*) AS n, count(gone_at) AS gone FROM row WHERE set_name = ?');
      const problems = one(
        'SELECT count(*) AS n, max(problem) AS one FROM page WHERE set_name = ? AND problem IS NOT NULL',
      );
      return {
        rules,
        isCurrent: is_current === 1,
        pages,
        rows: Number(rows.n) - Number(rows.gone),
        gone: Number(rows.gone),
        problems: Number(problems.n),
        ...(problems.one === null ? {} : { problem: String(problems.one) }),
        unmatched: pages === 0 ? ['match'] : this.#unmatched(rules, digest),
      };
    });
  }

  #unmatched(rules: RuleSet, digest: string): string[] {
    const found = this.db
      .prepare('SELECT part FROM found WHERE set_name = ? AND digest = ?')
      .all(rules.name, digest)
      .map(({ part }) => String(part));
    const parts = [...(rules.each === undefined ? [] : ['each']), ...rules.fields.map(({ name }) => name)];
    const missing = parts.filter((part) => !found.includes(part));
    // Without an item no field can find anything: one line says it.
    return missing.includes('each') ? ['each'] : missing;
  }

  *rows({ set, url, gone = false, after = 0, limit = -1 }: RowQuery = {}): Generator<StoredRow> {
    const { where, values } = conditions({ 'row.set_name = ?': set, 'row.url = ?': url, 'row.number > ?': after });
    const rows = this.db
      .prepare(
        `SELECT row.*, page.at FROM row LEFT JOIN page ON page.set_name = row.set_name AND page.url = row.url
        WHERE ${where}${gone ? '' : ' AND gone_at IS NULL'} ORDER BY row.number LIMIT ?`,
      )
      .iterate(...values, limit) as Iterable<unknown> as Iterable<RowRecord>;
    for (const row of rows)
      yield {
        cursor: row.number,
        set: row.set_name,
        url: row.url,
        at: row.gone_at ?? row.at ?? row.changed_at,
        firstSeen: row.first_seen,
        changedAt: row.changed_at,
        ...(row.gone_at === null ? {} : { goneAt: row.gone_at }),
        fields: JSON.parse(row.fields) as RowFields,
      };
  }

  *changes({ set, url, after = 0, since, until, limit = -1 }: RowQuery = {}): Generator<RowChange> {
    const { where, values } = conditions({
      ...{ 'set_name = ?': set, 'url = ?': url, 'number > ?': after, 'at >= ?': since, 'at < ?': until },
    });
    const changes = this.db
      .prepare(`SELECT * FROM change WHERE ${where} ORDER BY number LIMIT ?`)
      .iterate(...values, limit) as Iterable<unknown> as Iterable<ChangeRecord>;
    for (const { number, at, kind, set_name, url: page, by_rules, fields } of changes)
      yield { number, at, kind, set: set_name, url: page, byRules: by_rules === 1, fields: JSON.parse(fields) };
  }

  [Symbol.dispose](): void {
    this.db.close();
  }
}

function conditions(given: Readonly<Record<string, SQLInputValue | undefined>>): {
  readonly where: string;
  readonly values: SQLInputValue[];
} {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined) as [string, SQLInputValue][];
  return { where: entries.map(([condition]) => condition).join(' AND '), values: entries.map(([, value]) => value) };
}
