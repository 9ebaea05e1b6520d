import type { DatabaseSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../../base/fingerprint.ts';
import type { CrawlTask, Discovery, RefusedBy } from '../../../contracts/crawl-task.ts';
import type { Outcome } from '../../../contracts/outcome.ts';
import type { KnownUrl, KnownUrlQuery, ListedUrl } from '../../../contracts/state/known-url.ts';
import type { CanonicalUrl } from '../../../contracts/url.ts';
import { hostKeyOf } from '../../../url/host-key.ts';

/** Rows at a time: between two of them the log of a running crawl can be moved into its database. */
const SLICE = 500;
const LEAST_FP = -(2n ** 63n);
const HOLDS_COPY: ReadonlySet<Outcome['kind']> = new Set(['stored', 'duplicate', 'unchanged']);

interface PageRow {
  readonly fp: bigint;
  readonly url: CanonicalUrl;
  readonly depth: bigint;
  readonly how: Discovery['how'];
  readonly found_at: number;
  readonly outcome: string;
  readonly visited_at: number;
  readonly next_visit: number | null;
  readonly facts: string | null;
  readonly held: bigint;
}

interface WaitingRow {
  readonly at?: number;
  readonly host: number;
  readonly lane: number;
  readonly ord: number;
  readonly url: CanonicalUrl;
  readonly depth: number;
  readonly how: Discovery['how'];
  readonly found_at: number;
}

/**
 * Every URL of a crawl: visited ones first, then those that wait, then links that were refused. What stands among the visited is left out
 * of the others. Beside a running crawl a URL may come more than once; the first time counts.
 */
export function* knownUrls(db: DatabaseSync, { after, states }: KnownUrlQuery = {}): Generator<ListedUrl> {
  const parts: readonly (readonly [name: string, state: KnownUrl['state'], list: UrlList])[] = [
    ['visited', 'visited', visited],
    ['queue', 'waiting', (of, place) => waiting(of, 'queue', ['host', 'lane', 'ord'], place)],
    ['later', 'waiting', (of, place) => waiting(of, 'later', ['at', 'host', 'lane', 'ord'], place)],
    ['refused', 'refused-link', refused],
  ];
  const [begun, place] = after?.split(' ') ?? [];
  const first = Math.max(
    0,
    parts.findIndex(([name]) => name === begun),
  );
  const page = db.prepare('SELECT 1 FROM page WHERE fp = ?');
  for (const [name, state, list] of parts.slice(first)) {
    // A page whose only turn went into something else waits, and stands among those that were visited.
    if (states?.includes(state) === false && !(name === 'visited' && states.includes('waiting'))) continue;
    for (const [at, url] of list(db, name === begun ? place : undefined))
      if (
        states?.includes(url.state) !== false &&
        (name === 'visited' || page.get(toSigned(fingerprint(url.url))) === undefined)
      )
        yield { ...url, cursor: `${name} ${at}` };
  }
}

/** URLs of one table behind a place, each with its own. */
type UrlList = (db: DatabaseSync, after: string | undefined) => Generator<readonly [place: string, url: KnownUrl]>;

function* visited(db: DatabaseSync, from: string | undefined): ReturnType<UrlList> {
  // Folders of earlier versions do not have the column until a crawl runs in them.
  const held = hasColumn(db, 'page', 'held') ? 'held IS NOT NULL' : '0';
  const select =
    db.prepare(`SELECT fp, url, depth, how, found_at, outcome, visited_at, next_visit, facts, ${held} AS held
    FROM page WHERE fp > ? ORDER BY fp LIMIT ${SLICE}`);
  select.setReadBigInts(true);
  for (let after = from === undefined ? LEAST_FP : BigInt(from); ; ) {
    const rows = select.all(after) as unknown as PageRow[];
    for (const row of rows) yield [String(row.fp), visitedUrl(row)];
    if (rows.length < SLICE) return;
    after = rows[rows.length - 1].fp;
  }
}

function hasColumn(db: DatabaseSync, table: string, column: string): boolean {
  return db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;
}

function visitedUrl(row: PageRow): KnownUrl {
  const outcome: Outcome = JSON.parse(row.outcome);
  const facts = row.facts === null ? undefined : JSON.parse(row.facts);
  const found = {
    ...{ url: row.url, host: hostKeyOf(row.url), depth: Number(row.depth), foundBy: row.how },
    foundAt: row.found_at,
  };
  // Its turn came and went into something else: nothing is known of it yet.
  if (outcome.kind === 'deferred' && facts === undefined) return { ...found, state: 'waiting' };
  const status = statusOf(outcome, facts?.status);
  return {
    ...{ ...found, state: 'visited', outcome, visitedAt: row.visited_at },
    ...(status === undefined ? {} : { status }),
    ...(row.next_visit === null ? {} : { nextVisit: Number(row.next_visit) }),
    ...(facts === undefined ? {} : { facts }),
    ...(HOLDS_COPY.has(outcome.kind) || row.held === 1n ? { held: true as const } : {}),
  };
}

/** A visit that failed leaves the facts of the copy that is held, whose status is another. */
function statusOf(outcome: Outcome, ofFacts: number | undefined): number | undefined {
  if (outcome.kind === 'gone') return outcome.status;
  if (outcome.kind !== 'failed') return ofFacts;
  const [, status] = /^http-(\d+)$/.exec(outcome.code) ?? [];
  return status === undefined ? undefined : Number(status);
}

/** `key`: the columns that the table is ordered by. */
function* waiting(
  db: DatabaseSync,
  table: 'queue' | 'later',
  key: readonly (keyof WaitingRow)[],
  from: string | undefined,
): ReturnType<UrlList> {
  const columns = key.join(', ');
  const select = db.prepare(`SELECT ${columns}, url, depth, how, found_at FROM ${table}
    WHERE (${columns}) > (${key.map(() => '?').join(', ')}) AND for_origin IS NULL AND visited = 0
    ORDER BY ${columns} LIMIT ${SLICE}`);
  const placeOf = (row: WaitingRow): readonly number[] => key.map((column) => row[column] as number);
  for (let after = from?.split(',').map(Number) ?? key.map(() => Number.MIN_SAFE_INTEGER); ; ) {
    const rows = select.all(...after) as unknown as WaitingRow[];
    for (const row of rows) {
      const { url, depth, how, found_at: foundAt } = row;
      yield [placeOf(row).join(), { url, host: hostKeyOf(url), depth, foundBy: how, foundAt, state: 'waiting' }];
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < SLICE) return;
    after = [...placeOf(last)];
  }
}

function* refused(db: DatabaseSync, from: string | undefined): ReturnType<UrlList> {
  const select = db.prepare(
    `SELECT fp, by, rule, task, CAST(at AS REAL) AS at FROM refusal WHERE fp > ? ORDER BY fp LIMIT ${SLICE}`,
  );
  select.setReadBigInts(true);
  for (let after = from === undefined ? LEAST_FP : BigInt(from); ; ) {
    const rows = select.all(after) as unknown as {
      fp: bigint;
      by: RefusedBy;
      rule: string;
      task: string;
      at: number;
    }[];
    for (const { fp, by, rule, task: text, at } of rows) {
      const { url, host, depth, discovery }: CrawlTask = JSON.parse(text);
      const outcome: Outcome = { kind: 'refused', by, rule };
      yield [String(fp), { url, host, depth, foundBy: discovery.how, foundAt: at, state: 'refused-link', outcome }];
    }
    if (rows.length < SLICE) return;
    after = rows[rows.length - 1].fp;
  }
}
