import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Outcome, Settlement } from '../../contracts/crawl-task.ts';
import type { CrawlTotals } from '../../contracts/page-store.ts';
import { bringsFacts, holds, type StoredPage } from './stored-page.ts';

export interface Counted {
  /** Last number given to a queue entry. */
  seq: number;
  /** Last batch of adds. */
  batch: number;
  /** As the frontier counts them. */
  queued: number;
  parked: number;
  /** When they were written, by the clock and since the machine was started; 0: not known. */
  savedAt: number;
  uptime: number;
  pages: number;
  distinctDocuments: number;
  nearDuplicates: number;
  spam: number;
  requests: number;
  bytes: number;
  /** URLs to be tried again, and pages to be visited again. */
  later: number;
  planned: number;
  outcomes: Record<string, number>;
  refused: Record<string, number>;
  failed: Record<string, number>;
  /** Endings of visits to pages that were visited before. */
  revisits: Record<string, number>;
}

/** From this score on a page counts as spam. */
const SPAM = 0.5;

const NONE: Counted = {
  seq: 0,
  batch: 0,
  queued: 0,
  parked: 0,
  savedAt: 0,
  uptime: 0,
  pages: 0,
  distinctDocuments: 0,
  nearDuplicates: 0,
  spam: 0,
  requests: 0,
  bytes: 0,
  later: 0,
  planned: 0,
  outcomes: {},
  refused: {},
  failed: {},
  revisits: {},
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

  /** A request was sent or a visit ended. Every URL counts once: `outcome` is its state now, `stored` the one before. */
  count(settlement: Settlement, outcome: Outcome, stored?: StoredPage): void {
    const { use, page } = settlement;
    const { values } = this;
    if (use !== undefined) {
      if (use.unsent !== true) values.requests++;
      values.bytes += use.bytes;
    }
    if (settlement.claim.task.purpose !== 'page' || outcome.kind === 'deferred') return;
    const before = stored && ending(stored.outcome, stored.held, stored.retried);
    const after = ending(outcome, stored?.held, isRetried(settlement));
    if (before !== undefined) {
      bump(values.revisits, settlement.outcome.kind);
      tally(values, before, stored?.nearDuplicate === 1, stored?.spam ?? 0, -1);
    }
    if (after === undefined) return;
    const hasNewFacts = bringsFacts(settlement, stored);
    const near = hasNewFacts ? page?.nearDuplicateOf !== undefined : stored?.nearDuplicate === 1;
    tally(values, after, near, (hasNewFacts ? page?.spam?.score : stored?.spam) ?? 0, 1);
  }

  /** A page is near to another one, or no longer; `stored` is how it stood before. */
  countNear(isNear: boolean, stored: StoredPage): void {
    const counted = ending(stored.outcome, stored.held, stored.retried);
    if (counted === undefined || !holds(counted)) return;
    this.values.nearDuplicates += Number(isNear) - stored.nearDuplicate;
  }

  /** A URL that brought no page is tried again: how it ended is no ending any more. */
  reopen(outcome: Outcome): void {
    tally(this.values, outcome, false, 0, -1);
  }

  countRefusal(by: string): void {
    bump(this.values.refused, by);
  }

  withdrawRefusal(by: string): void {
    bump(this.values.refused, by, -1);
  }

  write(): void {
    this.#write.run(JSON.stringify(this.values));
  }
}

export function readCounters(db: DatabaseSync): Counted {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'counters'").get() as { value: string } | undefined;
  return { ...structuredClone(NONE), ...(row === undefined ? {} : JSON.parse(row.value)) };
}

/** Of parts of a crawl that have no URL in common. */
export function sumOfCounters(all: readonly Counted[]): Counted {
  const sum = structuredClone(NONE);
  for (const values of all)
    for (const [name, value] of Object.entries(values) as [keyof Counted, Counted[keyof Counted]][]) {
      const before = sum[name];
      if (typeof value === 'number') Object.assign(sum, { [name]: Number(before) + value });
      else for (const [kind, count] of Object.entries(value)) addTo(before as Record<string, number>, kind, count);
    }
  return { ...sum, seq: Math.max(0, ...all.map(({ seq }) => seq)), savedAt: 0, uptime: 0 };
}

function addTo(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

export function totalsOf(values: Counted): CrawlTotals {
  const { pages, distinctDocuments, nearDuplicates, spam, requests, bytes, outcomes, refused, failed, revisits } =
    values;
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
    ...(Object.keys(revisits).length === 0 ? {} : { revisits }),
  });
}

/** The sums that follow from the pages, as the table has them now. `refused` counts pages alone, not links. */
export function countPages(
  db: DatabaseSync,
): Pick<Counted, 'pages' | 'distinctDocuments' | 'nearDuplicates' | 'spam' | 'outcomes' | 'refused' | 'failed'> {
  const values = structuredClone(NONE);
  const rows = db
    .prepare(`SELECT outcome, held, next_visit IS NOT NULL AND next_why IS NULL AS retried,
      facts -> '$.nearDuplicateOf' IS NOT NULL AS near, facts ->> '$.spam.score' AS spam FROM page`)
    .iterate() as Iterable<unknown>;
  for (const row of rows) {
    const { outcome: text, held: heldText, retried, near, spam } = row as Record<string, string & number>;
    const outcome: Outcome = JSON.parse(text);
    const held = holds(outcome) ? outcome : heldText === null ? undefined : (JSON.parse(heldText) as Outcome);
    const counted = ending(outcome, held, retried === 1);
    if (counted !== undefined) tally(values, counted, near === 1, spam ?? 0, 1);
  }
  const { pages, distinctDocuments, nearDuplicates, spam, outcomes, refused, failed } = values;
  return { pages, distinctDocuments, nearDuplicates, spam, outcomes, refused, failed };
}

function tally(values: Counted, outcome: Outcome, near: boolean, spam: number, by: 1 | -1): void {
  bump(values.outcomes, outcome.kind, by);
  if (outcome.kind === 'stored' || outcome.kind === 'duplicate') values.pages += by;
  if (outcome.kind === 'stored') values.distinctDocuments += by;
  if (holds(outcome) && near) values.nearDuplicates += by;
  if (holds(outcome) && spam >= SPAM) values.spam += by;
  if (outcome.kind === 'refused') bump(values.refused, outcome.by, by);
  if (outcome.kind === 'gone')
    bump(values.failed, outcome.soft === undefined ? `http-${outcome.status}` : 'soft-not-found', by);
  if (outcome.kind === 'failed') bump(values.failed, outcome.code, by);
}

/** What a URL counts as: a failure that will be tried again is no end, and says nothing against a copy that is held. */
function ending(outcome: Outcome, held: Outcome | undefined, again: boolean): Outcome | undefined {
  if (outcome.kind === 'deferred') return held;
  return again && (outcome.kind === 'failed' || outcome.kind === 'refused') ? held : outcome;
}

/** A planned visit has its reason; a retry is nothing but what follows from a failure. */
function isRetried({ nextVisit, planned = false }: Settlement): boolean {
  return nextVisit !== undefined && !planned;
}

function bump(counts: Record<string, number>, name: string, by: 1 | -1 = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
  if (counts[name] === 0) delete counts[name];
}
