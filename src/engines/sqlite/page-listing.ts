import type { DatabaseSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { ListedPage, PageQuery } from '../../contracts/state/page-listing.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';

interface ListedRow {
  /** As text: a number would lose digits. */
  readonly fp: string;
  readonly url: CanonicalUrl;
  readonly depth: number;
  readonly outcome: string;
  readonly visited_at: number;
  readonly next_visit: number | null;
  readonly status: number | null;
  readonly media_type: string | null;
  readonly bytes: number | null;
  readonly title: string | null;
}

const SLICE = 1000;
const LEAST_FP = -(2n ** 63n);
const GREATEST_FP = 2n ** 63n - 1n;

/** A visit that failed leaves the facts of the copy that is held, whose status is another. */
const STATUS = `CASE kind
  WHEN 'gone' THEN outcome ->> '$.status'
  WHEN 'failed' THEN CASE WHEN outcome ->> '$.code' GLOB 'http-[0-9]*' THEN CAST(substr(outcome ->> '$.code', 6) AS INTEGER) END
  ELSE facts ->> '$.status' END`;

/** Every visited URL by fingerprint, the table's order, in slices: memory and checkpoints do not depend on the number. */
export function* listPages(db: DatabaseSync, query: PageQuery = {}): Generator<ListedPage> {
  const { sql, values } = conditionsOf(query);
  const select =
    db.prepare(`SELECT CAST(fp AS TEXT) AS fp, url, depth, outcome, visited_at, next_visit, ${STATUS} AS status,
    facts ->> '$.mediaType' AS media_type, facts ->> '$.bytes' AS bytes, facts ->> '$.title' AS title
    FROM page WHERE fp >= ? AND kind <> 'deferred' ${sql} ORDER BY page.fp LIMIT ?`);
  let from = query.after === undefined ? LEAST_FP : toSigned(fingerprint(query.after)) + 1n;
  for (let left = query.limit ?? Number.POSITIVE_INFINITY; left > 0; ) {
    const most = Math.min(left, SLICE);
    const rows = select.all(from, ...values, most) as unknown as ListedRow[];
    for (const row of rows) yield listedPage(row);
    const last = BigInt(rows.at(-1)?.fp ?? GREATEST_FP);
    if (rows.length < most || last === GREATEST_FP) return;
    from = last + 1n;
    left -= rows.length;
  }
}

/** Every URL that was visited, in the same order and for the same reasons in slices. */
export function* visitedUrls(db: DatabaseSync): Generator<CanonicalUrl> {
  const select = db.prepare(`SELECT fp, url FROM page WHERE fp > ? ORDER BY fp LIMIT ${SLICE}`);
  select.setReadBigInts(true);
  for (let after = LEAST_FP; ; ) {
    const rows = select.all(after) as unknown as { fp: bigint; url: CanonicalUrl }[];
    if (rows.length === 0) return;
    for (const { url } of rows) yield url;
    after = rows[rows.length - 1].fp;
  }
}

/** URLs behind which another page stands. */
export function* aliases(db: DatabaseSync): Generator<readonly [alias: string, original: string]> {
  const select = db.prepare(`SELECT url, coalesce(outcome ->> '$.of', outcome ->> '$.to') AS original FROM page
    WHERE kind IN ('duplicate', 'redirected')`);
  for (const row of select.iterate() as Iterable<unknown>) {
    const { url, original } = row as { url: string; original: string | null };
    if (original !== null) yield [url, original];
  }
}

function conditionsOf({ host, outcomes, status }: PageQuery): { sql: string; values: (string | number)[] } {
  const conditions: readonly (readonly [string, ...(string | number)[]])[] = [
    ...(host === undefined ? [] : [['host = (SELECT id FROM host WHERE key = ?)', host] as const]),
    ...(outcomes === undefined
      ? []
      : [['kind IN (SELECT value FROM json_each(?))', JSON.stringify(outcomes)] as const]),
    ...(status === undefined ? [] : [[`${STATUS} BETWEEN ? AND ?`, status.from, status.to] as const]),
  ];
  return {
    sql: conditions.map(([sql]) => ` AND ${sql}`).join(''),
    values: conditions.flatMap(([, ...values]) => values),
  };
}

function listedPage(row: ListedRow): ListedPage {
  return {
    url: row.url,
    host: hostKeyOf(row.url),
    depth: row.depth,
    outcome: JSON.parse(row.outcome) as Outcome,
    visitedAt: row.visited_at,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.next_visit === null ? {} : { nextVisit: row.next_visit }),
    ...(row.media_type === null ? {} : { mediaType: row.media_type }),
    ...(row.bytes === null ? {} : { bytes: row.bytes }),
    ...(row.title === null ? {} : { title: row.title }),
  };
}
