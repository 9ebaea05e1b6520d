import type { DatabaseSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { Outcome } from '../../contracts/crawl-task.ts';
import type { PlannedPage, PlannedVisit, SettledPage } from '../../contracts/state/settled-page.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { type QueueRow, Visited } from './rows/queue-rows.ts';
import { type PlannedPlace, plannedPlaces } from './rows/revisit-rows.ts';
import type { PageRow } from './sqlite-page-store.ts';
import { holds } from './stored-page.ts';

/** A visit that the frontier is to take in; its place in the queue is given there. */
export interface VisitToPlan {
  readonly row: QueueRow;
  readonly at: number;
  readonly why?: string;
  readonly changes?: string;
  /** How it ended before: the visit is one more try of it, not a visit of a page that is known. */
  readonly retry?: Outcome;
  /** The visit that it waits for until now. */
  readonly before?: PlannedPlace;
}

interface SettledRow extends Readonly<Omit<PageRow, 'tries' | 'history' | 'next_why' | 'changes'>> {
  readonly fp: string;
  readonly host: number;
  readonly held: string | null;
  readonly changes: string | null;
}

const SLICE = 500;

/** Visits for settled pages that wait for none, in slices as the frontier is to take them: all, or some of the given ones. */
export function* visitsToPlan(
  db: DatabaseSync,
  next: (page: SettledPage) => number | PlannedVisit | undefined,
  lane: number,
  urls?: readonly CanonicalUrl[],
): Generator<VisitToPlan[]> {
  const planned = (row: SettledRow): VisitToPlan[] => {
    const answer = next(settledPage(row));
    if (answer === undefined) return [];
    return [visitOf(row, typeof answer === 'number' ? { at: answer } : answer, lane)];
  };
  if (urls !== undefined) {
    const one = db.prepare(`SELECT ${COLUMNS} FROM page WHERE fp = ? AND ${WAITS_FOR_NOTHING}`);
    for (const url of urls) yield (one.all(toSigned(fingerprint(url))) as unknown as SettledRow[]).flatMap(planned);
    return;
  }
  const select = db.prepare(
    `SELECT ${COLUMNS} FROM page WHERE fp > ? AND ${WAITS_FOR_NOTHING} ORDER BY page.fp LIMIT ${SLICE}`,
  );
  for (let after = -(2n ** 63n); ; ) {
    const rows = select.all(after) as unknown as SettledRow[];
    if (rows.length === 0) return;
    after = BigInt(rows[rows.length - 1].fp);
    yield rows.flatMap(planned);
  }
}

const COLUMNS = `CAST(fp AS TEXT) AS fp, url, host, depth, how, via, anchor, found_at, outcome, held, visited_at,
    next_visit, facts, changes`;
const WAITS_FOR_NOTHING = `next_visit IS NULL AND next_why IS NULL AND kind <> 'deferred'`;
/** One without a reason is a try that is to come anyway. */
const WITHOUT_PAGE = `(next_visit IS NULL OR next_why IS NOT NULL) AND held IS NULL
    AND kind IN ('refused', 'failed')`;
/** Of URLs that are named, what is gone as well. */
const NAMED_WITHOUT_PAGE = WITHOUT_PAGE.replace(`'failed'`, `'failed', 'gone'`);

/** Retries settled URLs without a page that wait for nothing or for a planned visit: all, or some of the given ones. */
export function* visitsToRetry(
  db: DatabaseSync,
  wanted: (outcome: Outcome) => boolean,
  at: number,
  urls?: readonly CanonicalUrl[],
): Generator<VisitToPlan[]> {
  const placeOf = plannedPlaces(db, at);
  const retriesOf = (rows: readonly SettledRow[]): VisitToPlan[] =>
    rows.flatMap((row) => {
      const retry: Outcome = JSON.parse(row.outcome);
      if (!wanted(retry)) return [];
      const visit = { ...visitOf(row, { at }, 0), retry };
      if (row.next_visit === null) return [visit];
      const before = placeOf(row.url, row.host, row.next_visit);
      // One that is not in the calendar any more stands in its queue already.
      return before === undefined ? [] : [{ ...visit, before }];
    });
  if (urls !== undefined) {
    const one = db.prepare(`SELECT ${COLUMNS} FROM page WHERE fp = ? AND ${NAMED_WITHOUT_PAGE}`);
    for (const url of urls) yield retriesOf(one.all(toSigned(fingerprint(url))) as unknown as SettledRow[]);
    return;
  }
  const select = db.prepare(
    `SELECT ${COLUMNS} FROM page WHERE fp > ? AND ${WITHOUT_PAGE} ORDER BY page.fp LIMIT ${SLICE}`,
  );
  for (let after = -(2n ** 63n); ; ) {
    const rows = select.all(after) as unknown as SettledRow[];
    if (rows.length === 0) return;
    after = BigInt(rows[rows.length - 1].fp);
    yield retriesOf(rows);
  }
}

/** One more visit for every page visited before a time, but for URLs that are to be retried anyway. */
export function* visitsOfRound(db: DatabaseSync, startedAt: number, why: string): Generator<VisitToPlan[]> {
  const placeOf = plannedPlaces(db, startedAt);
  const select = db.prepare(`SELECT ${COLUMNS} FROM page WHERE fp > ? AND kind <> 'deferred' AND visited_at < ?
    AND (next_visit IS NULL OR (next_why IS NOT NULL AND next_visit > ?)) ORDER BY page.fp LIMIT ${SLICE}`);
  for (let after = -(2n ** 63n); ; ) {
    const rows = select.all(after, startedAt, startedAt) as unknown as SettledRow[];
    if (rows.length === 0) return;
    after = BigInt(rows[rows.length - 1].fp);
    yield rows.flatMap((row) => {
      const visit = visitOf(row, { at: startedAt, why }, 0);
      if (row.next_visit === null) return [visit];
      const before = placeOf(row.url, row.host, row.next_visit);
      return before === undefined ? [] : [{ ...visit, before }];
    });
  }
}

/** Pages whose next visit is planned for after a time, in slices: plans may change meanwhile. */
export function* plannedPages(db: DatabaseSync, after: number): Generator<PlannedPage[]> {
  // Those that are to be tried again have no reason; their time is set by the failure.
  const select = db.prepare(`SELECT CAST(fp AS TEXT) AS fp, url, outcome, visited_at, next_visit, changes FROM page
    WHERE fp > ? AND next_visit > ? AND next_why IS NOT NULL ORDER BY page.fp LIMIT ${SLICE}`);
  for (let from = -(2n ** 63n); ; ) {
    const rows = select.all(from, after) as unknown as (SettledRow & { next_visit: number })[];
    if (rows.length === 0) return;
    from = BigInt(rows[rows.length - 1].fp);
    yield rows.map(({ url, outcome, visited_at, next_visit, changes }) => ({
      ...{ url, outcome: JSON.parse(outcome), visitedAt: visited_at, nextVisit: next_visit },
      ...(changes === null ? {} : { changes: JSON.parse(changes) }),
    }));
  }
}

/** Whether a visit is planned for after a time. */
export function anyPlannedAfter(db: DatabaseSync, after: number): boolean {
  return db.prepare('SELECT 1 FROM revisit WHERE at > ? LIMIT 1').get(after) !== undefined;
}

function settledPage({ url, outcome, visited_at, facts, changes }: SettledRow): SettledPage {
  return {
    ...{ url, host: hostKeyOf(url), outcome: JSON.parse(outcome), visitedAt: visited_at },
    ...(facts === null ? {} : { facts: JSON.parse(facts) }),
    ...(changes === null ? {} : { changes: JSON.parse(changes) }),
  };
}

function visitOf(settled: SettledRow, { at, why, history, lane }: PlannedVisit, laneOfAll: number): VisitToPlan {
  const { host, url, depth, how, via, anchor, found_at, outcome, held } = settled;
  const visited = held !== null || holds(JSON.parse(outcome)) ? Visited.held : Visited.withoutCopy;
  return {
    row: {
      ...{ host, lane: lane ?? laneOfAll, ord: 0, url, depth, redirects: 0, tries: 0, visited },
      ...{ how, via, anchor, found_at, for_origin: null },
    },
    at,
    ...(why === undefined ? {} : { why }),
    ...(history === undefined ? {} : { changes: JSON.stringify(history) }),
  };
}
