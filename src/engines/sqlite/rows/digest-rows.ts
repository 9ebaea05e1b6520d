import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Outcome, Settlement } from '../../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../../contracts/url.ts';
import { bodyDigest, holds, type StoredPage } from '../stored-page.ts';

/** Endings after which a page no longer has the content it had. */
const GIVES_UP: ReadonlySet<Outcome['kind']> = new Set(['gone', 'redirected', 'refused']);

/**
 * Which page has a content first. The original of a content is a page that has it now: one that changes, or is gone, gives
 * it up, and the next page that is seen to have it becomes the original. Pages that were held to be copies of it learn so at
 * their next visit. The archive is not concerned: it keeps every copy.
 */
export class DigestRows {
  readonly #insert: StatementSync;
  readonly #original: StatementSync;
  readonly #release: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('INSERT OR IGNORE INTO digest (digest, url, at, raw) VALUES (?, ?, ?, ?)');
    this.#original = db.prepare('SELECT url FROM digest WHERE digest = ?');
    this.#release = db.prepare('DELETE FROM digest WHERE digest = ? AND url = ?');
  }

  /** Of two pages with one content that were under way at once, the one settled first is the original. */
  judge(settlement: Settlement, stored: StoredPage | undefined): Outcome {
    const { outcome, claim } = settlement;
    const digest = digestAfter(settlement, stored);
    if (outcome.kind === 'unchanged') {
      if (stored?.held === undefined) return outcome;
      if (digest === undefined) return stored.held;
    } else if (outcome.kind !== 'stored' || digest === undefined) return outcome;
    const first = this.#original.get(digest) as { url: CanonicalUrl } | undefined;
    return first === undefined || first.url === claim.task.url
      ? { kind: 'stored' }
      : { kind: 'duplicate', of: first.url };
  }

  write(settlement: Settlement, url: CanonicalUrl, outcome: Outcome, stored: StoredPage | undefined): void {
    const digest = digestAfter(settlement, stored);
    const before = stored?.digest ?? undefined;
    if (before !== undefined && (GIVES_UP.has(outcome.kind) || (holds(outcome) && digest !== before))) {
      this.#release.run(before, url);
    }
    if (outcome.kind !== 'stored' || digest === undefined) return;
    const source = bodyDigest(settlement.page) === undefined ? stored : settlement.page;
    this.#insert.run(digest, url, source?.requestedAt ?? 0, source?.rawDigest ?? digest);
  }
}

/** What the page has after the visit. */
function digestAfter({ outcome, page }: Settlement, stored: StoredPage | undefined): string | undefined {
  return bodyDigest(page) ?? (outcome.kind === 'unchanged' ? (stored?.digest ?? undefined) : undefined);
}
