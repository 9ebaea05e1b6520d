import type { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../../../contracts/outcome.ts';
import type { CourseVisit, PageCourse } from '../../../contracts/state/page-course.ts';
import type { CanonicalUrl } from '../../../contracts/url.ts';
import { parseHistory } from './parse-history.ts';

interface CourseRow {
  /** As text: a number would lose digits. */
  readonly fp: string;
  readonly url: CanonicalUrl;
  readonly history: string;
  readonly since: number | null;
  readonly rate: number | null;
}

const SLICE = 1000;
const LEAST_FP = -(2n ** 63n);

/** Other endings tell nothing of the page: nobody was there, or nobody asked. */
const FOUND: Readonly<Partial<Record<Outcome['kind'], CourseVisit['found']>>> = {
  stored: 'copy',
  duplicate: 'copy',
  unchanged: 'same',
  gone: 'gone',
  redirected: 'gone',
};

/** The visits of every page of which there is or was a copy, in slices: a long read would hold up the checkpoints of a crawl. */
export function* pageCourses(db: DatabaseSync): Generator<PageCourse> {
  // Folders of earlier versions do not have the columns until a crawl runs in them.
  const column = db.prepare("SELECT 1 FROM pragma_table_info('page') WHERE name = ?");
  const kept = ['changes', 'held'].filter((name) => column.get(name) !== undefined);
  const changes = kept.includes('changes') ? 'changes' : 'NULL';
  const select =
    db.prepare(`SELECT CAST(fp AS TEXT) AS fp, url, history, ${changes} ->> '$.since' AS since, ${changes} ->> '$.rate' AS rate
    FROM page WHERE fp > ? AND (kind IN ('stored', 'duplicate', 'unchanged')${kept.map((name) => ` OR ${name} IS NOT NULL`).join('')})
    ORDER BY page.fp LIMIT ${SLICE}`);
  for (let after = LEAST_FP; ; ) {
    const rows = select.all(after) as unknown as CourseRow[];
    for (const row of rows) {
      const course = courseOf(row);
      if (course !== undefined) yield course;
    }
    if (rows.length < SLICE) return;
    after = BigInt(rows[rows.length - 1].fp);
  }
}

function courseOf({ url, history, since, rate }: CourseRow): PageCourse | undefined {
  const visits: CourseVisit[] = [];
  for (const { at, kind } of parseHistory(history)) {
    const found = FOUND[kind];
    // What was not there before there was a copy is no part of its course.
    if (found === undefined || (found === 'gone' && visits.length === 0 && since === null)) continue;
    visits.push({ at, found });
  }
  const firstAt = since ?? visits[0]?.at;
  return firstAt === undefined ? undefined : { url, firstAt, visits, ...(rate === null ? {} : { rate }) };
}
