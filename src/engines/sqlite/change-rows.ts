import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PageChange } from '../../contracts/revisit.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';

/** Writes the log of changes. */
export class ChangeRows {
  readonly #insert: StatementSync;
  #lastAt: number;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('INSERT INTO change (at, url, kind, detail, title) VALUES (?, ?, ?, ?, ?)');
    const last = db.prepare('SELECT at FROM change ORDER BY number DESC LIMIT 1').get() as { at: number } | undefined;
    this.#lastAt = last?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** A clock that was set back does not set the log back: readers look for times by halving. */
  append(now: number, url: CanonicalUrl, change: PageChange, title: string | undefined): void {
    this.#lastAt = Math.max(now, this.#lastAt);
    this.#insert.run(this.#lastAt, url, change.kind, detailOf(change), title ?? null);
  }
}

function detailOf(change: PageChange): string | null {
  if (change.kind === 'gone') return String(change.status);
  return change.kind === 'moved' ? change.to : null;
}

export function changeOf(kind: PageChange['kind'], detail: string | null): PageChange {
  if (kind === 'gone') return { kind, status: Number(detail) };
  return kind === 'moved' ? { kind, to: detail ?? '' } : { kind };
}
