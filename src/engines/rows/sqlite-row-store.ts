import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ExtractedSet, RowFields, RuleSet } from '../../contracts/content/extraction-rules.ts';
import type { RowChange, RowChangeKind, RowStore, RowVisit } from '../../contracts/state/row-store.ts';
import { SqliteRowReader } from './sqlite-row-reader.ts';

interface KnownRow {
  readonly number: number;
  readonly key: string;
  readonly gone_at: number | null;
  readonly fields: string;
}

interface KnownSet {
  readonly rules: RuleSet;
  readonly digest: string;
  /** Parts that are known to have found something. */
  readonly found: Set<string>;
}

/** Where a change comes from. */
interface ChangeOf {
  readonly set: string;
  readonly url: string;
  readonly at: number;
  readonly noticedAt: number;
  readonly byRules: boolean;
}

/** Rows in rows.db of the crawl folder. Applying a visit twice changes nothing more. */
export class SqliteRowStore extends SqliteRowReader implements RowStore {
  readonly #sets = new Map<string, KnownSet>();
  readonly #known: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #leave: StatementSync;
  readonly #log: StatementSync;
  readonly #page: StatementSync;
  readonly #setPage: StatementSync;
  readonly #setsOfPage: StatementSync;
  readonly #dropPage: StatementSync;
  readonly #find: StatementSync;

  constructor(db: DatabaseSync) {
    super(db);
    this.#known = db.prepare('SELECT number, key, gone_at, fields FROM row WHERE url = ? AND set_name = ?');
    this.#insert = db.prepare(
      'INSERT INTO row (set_name, url, key, first_seen, changed_at, fields) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#update = db.prepare('UPDATE row SET changed_at = ?, gone_at = NULL, fields = ? WHERE number = ?');
    this.#leave = db.prepare('UPDATE row SET gone_at = ? WHERE number = ?');
    this.#log = db.prepare('INSERT INTO change (at, kind, set_name, url, by_rules, fields) VALUES (?, ?, ?, ?, ?, ?)');
    this.#page = db.prepare('SELECT at, digest FROM page WHERE set_name = ? AND url = ?');
    this.#setPage = db.prepare(
      'INSERT OR REPLACE INTO page (set_name, url, at, digest, problem) VALUES (?, ?, ?, ?, ?)',
    );
    this.#setsOfPage = db.prepare('SELECT DISTINCT set_name FROM row WHERE url = ? AND gone_at IS NULL');
    this.#dropPage = db.prepare('DELETE FROM page WHERE set_name = ? AND url = ?');
    this.#find = db.prepare('INSERT OR IGNORE INTO found (set_name, digest, part) VALUES (?, ?, ?)');
  }

  declare(sets: readonly RuleSet[]): string[] {
    const changed: string[] = [];
    const before = this.db.prepare('SELECT digest FROM rule_set WHERE name = ?');
    this.#transaction(() => {
      this.db.exec('UPDATE rule_set SET is_current = 0');
      const write = this.db.prepare(
        'INSERT OR REPLACE INTO rule_set (name, rules, digest, is_current) VALUES (?, ?, ?, 1)',
      );
      this.#sets.clear();
      for (const rules of sets) {
        const written = JSON.stringify(rules);
        const digest = hash('sha256', written, 'base64url').slice(0, 22);
        const former = before.get(rules.name)?.digest;
        if (former !== undefined && former !== digest) changed.push(rules.name);
        write.run(rules.name, written, digest);
        this.#sets.set(rules.name, { rules, digest, found: new Set() });
      }
    });
    return changed;
  }

  apply(visits: readonly RowVisit[]): void {
    if (visits.length === 0) return;
    this.#transaction(() => {
      for (const visit of visits) this.#applyVisit(visit);
    });
  }

  #applyVisit(visit: RowVisit): void {
    const { url, at, again, sets } = visit;
    const read = new Set<string>();
    for (const extracted of sets ?? []) {
      read.add(extracted.set);
      const set = this.#sets.get(extracted.set);
      if (set !== undefined) this.#applySet(extracted, set, visit);
    }
    // The page is gone, or the set is no longer for it.
    for (const { set_name } of this.#setsOfPage.all(url)) {
      const name = String(set_name);
      if (read.has(name) || (sets !== undefined && !this.#sets.has(name))) continue;
      const page = this.#page.get(name, url);
      if (page !== undefined && Number(page.at) > at && again === undefined) continue;
      this.#replace([], { set: name, url, at, noticedAt: again ?? at, byRules: sets !== undefined });
      this.#dropPage.run(name, url);
    }
  }

  #applySet(extracted: ExtractedSet, { rules, digest, found }: KnownSet, { url, at: askedAt, again }: RowVisit): void {
    const before = this.#page.get(rules.name, url);
    if (before !== undefined && Number(before.at) > askedAt && again === undefined) return;
    const at = Math.max(askedAt, Number(before?.at ?? askedAt));
    this.#setPage.run(rules.name, url, at, digest, extracted.problem ?? null);
    for (const part of extracted.found) {
      if (found.has(part)) continue;
      this.#find.run(rules.name, digest, part);
      found.add(part);
    }
    // What could not be read to the end says nothing against the rows that are there.
    if (extracted.problem !== undefined && extracted.rows.length === 0) return;
    const byRules = before !== undefined && before.digest !== digest;
    this.#replace(keyed(extracted.rows, rules), { set: rules.name, url, at, noticedAt: again ?? at, byRules });
  }

  #replace(rows: readonly (readonly [key: string, fields: RowFields])[], of: ChangeOf): void {
    const known = new Map(
      (this.#known.all(of.url, of.set) as unknown as KnownRow[]).map((row) => [row.key, row] as const),
    );
    for (const [key, fields] of rows) {
      const row = known.get(key);
      known.delete(key);
      const written = JSON.stringify(fields);
      if (row === undefined) {
        this.#insert.run(of.set, of.url, key, of.at, of.at, written);
        this.#note(of, 'new', {}, fields);
      } else if (row.gone_at !== null || row.fields !== written) {
        this.#update.run(of.at, written, row.number);
        this.#note(of, row.gone_at === null ? 'changed' : 'back', JSON.parse(row.fields), fields);
      }
    }
    for (const row of known.values()) {
      if (row.gone_at !== null) continue;
      this.#leave.run(of.at, row.number);
      this.#note(of, 'gone', JSON.parse(row.fields), {});
    }
  }

  #note({ set, url, noticedAt, byRules }: ChangeOf, kind: RowChangeKind, before: RowFields, after: RowFields): void {
    const fields: Record<string, RowChange['fields'][string]> = {};
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (JSON.stringify(before[name]) === JSON.stringify(after[name]) && kind !== 'new' && kind !== 'gone') continue;
      fields[name] = {
        ...(Object.hasOwn(before, name) ? { before: before[name] } : {}),
        ...(Object.hasOwn(after, name) ? { after: after[name] } : {}),
      };
    }
    this.#log.run(noticedAt, kind, set, url, byRules ? 1 : 0, JSON.stringify(fields));
  }

  #transaction(work: () => void): void {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.db.exec('COMMIT');
    } catch (error) {
      this.db.exec('ROLLBACK');
      throw error;
    }
  }
}

/**
 * What each row of a page is known by: the key field; the page itself where it makes one row; otherwise all that the row says. Rows
 * with the same key are told apart by their order.
 */
function keyed(rows: readonly RowFields[], { key, each }: RuleSet): [string, RowFields][] {
  const counts = new Map<string, number>();
  return rows.map((fields) => {
    const said = key !== undefined ? JSON.stringify(fields[key]) : each === undefined ? '' : JSON.stringify(fields);
    const base = said.length > 64 ? hash('sha256', said, 'base64url') : said;
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    return [count === 1 ? base : `${base} #${count}`, fields];
  });
}
