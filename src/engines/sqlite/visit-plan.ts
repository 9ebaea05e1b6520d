import type { DatabaseSync } from 'node:sqlite';
import type { Discovery, Outcome } from '../../contracts/crawl-task.ts';
import type { PageFacts } from '../../contracts/page-facts.ts';
import type { ChangeHistory } from '../../contracts/revisit.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { QueueRow } from './queue-rows.ts';

/** A page whose visit has ended, that waits for no other, and was not given up. */
export interface SettledPage {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly outcome: Outcome;
  readonly visitedAt: number;
  readonly facts?: PageFacts;
  readonly changes?: ChangeHistory;
}

export interface PlannedVisit {
  readonly at: number;
  readonly why?: string;
  /** Kept with the page, where it has changed. */
  readonly history?: ChangeHistory;
  /** Front queue; that of the call where it is not given. */
  readonly lane?: number;
}

/** A visit that the frontier is to take in; its place in the queue is given there. */
export interface VisitToPlan {
  readonly row: QueueRow;
  readonly at: number;
  readonly why?: string;
  readonly changes?: string;
}

interface SettledRow {
  readonly fp: string;
  readonly url: CanonicalUrl;
  readonly host: number;
  readonly depth: number;
  readonly how: Discovery['how'];
  readonly via: Uint8Array | null;
  readonly anchor: string | null;
  readonly found_at: number;
  readonly outcome: string;
  readonly visited_at: number;
  readonly facts: string | null;
  readonly changes: string | null;
}

const SLICE = 500;

/** Visits for settled pages that wait for none, in slices as the frontier is to take them. */
export function* visitsToPlan(
  db: DatabaseSync,
  next: (page: SettledPage) => number | PlannedVisit | undefined,
  lane: number,
): Generator<VisitToPlan[]> {
  const select =
    db.prepare(`SELECT CAST(fp AS TEXT) AS fp, url, host, depth, how, via, anchor, found_at, outcome, visited_at,
    facts, changes FROM page WHERE fp > ? AND next_visit IS NULL
    AND next_why IS NULL AND kind <> 'deferred' ORDER BY page.fp LIMIT ${SLICE}`);
  for (let after = -(2n ** 63n); ; ) {
    const rows = select.all(after) as unknown as SettledRow[];
    if (rows.length === 0) return;
    after = BigInt(rows[rows.length - 1].fp);
    yield rows.flatMap((row) => {
      const answer = next(settledPage(row));
      if (answer === undefined) return [];
      return [visitOf(row, typeof answer === 'number' ? { at: answer } : answer, lane)];
    });
  }
}

function settledPage({ url, outcome, visited_at, facts, changes }: SettledRow): SettledPage {
  return {
    ...{ url, host: hostKeyOf(url), outcome: JSON.parse(outcome), visitedAt: visited_at },
    ...(facts === null ? {} : { facts: JSON.parse(facts) }),
    ...(changes === null ? {} : { changes: JSON.parse(changes) }),
  };
}

function visitOf(settled: SettledRow, { at, why, history, lane }: PlannedVisit, laneOfAll: number): VisitToPlan {
  const { host, url, depth, how, via, anchor, found_at } = settled;
  return {
    row: {
      ...{ host, lane: lane ?? laneOfAll, ord: 0, url, depth, redirects: 0, tries: 0, visited: 1 },
      ...{ how, via, anchor, found_at, for_origin: null },
    },
    at,
    ...(why === undefined ? {} : { why }),
    ...(history === undefined ? {} : { changes: JSON.stringify(history) }),
  };
}
