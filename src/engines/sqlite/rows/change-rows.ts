import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { CLOCK_SLACK_MS } from '../../../base/clock.ts';
import type { PageChange } from '../../../contracts/revisit.ts';
import type { CanonicalUrl } from '../../../contracts/url.ts';

/** In `meta`: times of the log have fallen somewhere, so that they cannot be found by halving. */
const FELL = 'changes fell';

/** Writes the log of changes. */
export class ChangeRows {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  #lastAt: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO change (at, url, kind, detail, title) VALUES (?, ?, ?, ?, ?)');
    const last = db.prepare('SELECT at FROM change ORDER BY number DESC LIMIT 1').get() as { at: number } | undefined;
    this.#lastAt = last?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** Numbers tell the order. Times do so as well, but for a clock that was ahead: what follows must not bear its error. */
  append(now: number, url: CanonicalUrl, change: PageChange, title: string | undefined): void {
    const fell = now < this.#lastAt - CLOCK_SLACK_MS;
    if (fell) this.#db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, 'true')").run(FELL);
    this.#lastAt = fell ? now : Math.max(now, this.#lastAt);
    this.#insert.run(this.#lastAt, url, change.kind, detailOf(change), title ?? null);
  }
}

/** Whether every change has the time of the one before or a later one. */
export function timesNeverFell(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM meta WHERE name = ?').get(FELL) === undefined;
}

function detailOf(change: PageChange): string | null {
  if (change.kind === 'gone') return String(change.status);
  return change.kind === 'moved' ? change.to : null;
}

export function changeOf(kind: PageChange['kind'], detail: string | null): PageChange {
  if (kind === 'gone') return { kind, status: Number(detail) };
  return kind === 'moved' ? { kind, to: detail ?? '' } : { kind };
}
