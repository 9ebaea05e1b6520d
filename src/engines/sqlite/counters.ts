import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Settlement } from '../../contracts/crawl-task.ts';
import type { CrawlTotals } from '../../contracts/page-store.ts';

interface Counted {
  /** Last number given to a queue entry. */
  seq: number;
  /** Last batch of adds. */
  batch: number;
  /** As the frontier counts them. */
  queued: number;
  parked: number;
  pages: number;
  distinctDocuments: number;
  nearDuplicates: number;
  spam: number;
  requests: number;
  bytes: number;
  later: number;
  outcomes: Record<string, number>;
  refused: Record<string, number>;
  failed: Record<string, number>;
}

/** From this score on a page counts as spam. */
const SPAM = 0.5;

const NONE: Counted = {
  seq: 0,
  batch: 0,
  queued: 0,
  parked: 0,
  pages: 0,
  distinctDocuments: 0,
  nearDuplicates: 0,
  spam: 0,
  requests: 0,
  bytes: 0,
  later: 0,
  outcomes: {},
  refused: {},
  failed: {},
};

/** Sums over the whole crawl, written with every transaction as one row. */
export class Counters {
  readonly values: Counted;
  readonly #write: StatementSync;

  constructor(db: DatabaseSync) {
    this.values = readCounters(db);
    this.#write = db.prepare(`INSERT INTO meta (name, value) VALUES ('counters', ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  }

  /** A request was sent, or a visit came to its end (a failure that will be tried again is not an end). */
  count(settlement: Settlement): void {
    const { outcome, use, nextVisit } = settlement;
    const { values } = this;
    if (use !== undefined) {
      if (use.unsent !== true) values.requests++;
      values.bytes += use.bytes;
    }
    const success = outcome.kind === 'stored' || outcome.kind === 'duplicate' || outcome.kind === 'unchanged';
    if (settlement.claim.task.purpose !== 'page' || outcome.kind === 'deferred') return;
    if (nextVisit !== undefined && !success) return;
    bump(values.outcomes, outcome.kind);
    if (outcome.kind === 'stored' || outcome.kind === 'duplicate') values.pages++;
    if (outcome.kind === 'stored') values.distinctDocuments++;
    if (settlement.page?.nearDuplicateOf !== undefined) values.nearDuplicates++;
    if ((settlement.page?.spam?.score ?? 0) >= SPAM) values.spam++;
    if (outcome.kind === 'refused') bump(values.refused, outcome.by);
    if (outcome.kind === 'gone')
      bump(values.failed, outcome.soft === undefined ? `http-${outcome.status}` : 'soft-not-found');
    if (outcome.kind === 'failed') bump(values.failed, outcome.code);
  }

  countRefusal(by: string): void {
    bump(this.values.refused, by);
  }

  withdrawRefusal(by: string): void {
    this.values.refused[by]--;
    if (this.values.refused[by] === 0) delete this.values.refused[by];
  }

  write(): void {
    this.#write.run(JSON.stringify(this.values));
  }
}

export function readCounters(db: DatabaseSync): Counted {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'counters'").get() as { value: string } | undefined;
  return { ...structuredClone(NONE), ...(row === undefined ? {} : JSON.parse(row.value)) };
}

export function totalsOf(values: Counted): CrawlTotals {
  const { pages, distinctDocuments, nearDuplicates, spam, requests, bytes, outcomes, refused, failed } = values;
  return structuredClone({
    pages,
    distinctDocuments,
    nearDuplicates,
    spam,
    requests,
    bytes,
    outcomes,
    refused,
    failed,
  });
}

function bump(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
