import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ChangeQuery } from '../../../../src/contracts/change-log.ts';
import type { PageChange } from '../../../../src/contracts/revisit.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { ChangeRows } from '../../../../src/engines/sqlite/rows/change-rows.ts';
import { SqliteChangeLog } from '../../../../src/engines/sqlite/sqlite-change-log.ts';
import { openState } from '../../../../src/engines/sqlite/state-database.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { SmallChangeLog } from '../../crawl/small-change-log.ts';

const CHANGES: readonly PageChange[] = [
  { kind: 'new' },
  { kind: 'changed' },
  { kind: 'gone', status: 410 },
  { kind: 'moved', to: 'http://b.test/' },
  { kind: 'back' },
];
const COUNT = 40;

const place = fc.integer({ min: 0, max: COUNT + 2 });
const queriesAt = (times: fc.Arbitrary<number>): fc.Arbitrary<ChangeQuery> =>
  fc.record(
    {
      since: times,
      until: times,
      after: place,
      before: place,
      limit: fc.integer({ min: 1, max: COUNT }),
      last: fc.boolean(),
      kinds: fc.uniqueArray(fc.constantFrom(...CHANGES.map(({ kind }) => kind)), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );

/** Some at the same time. */
const rising = (i: number): number => 1 + Math.floor(i / 3) * 3;
/** A run in the middle had its clock far ahead. */
const AHEAD = 10_000_000;
const wrong = (i: number): number => rising(i) + (i > 10 && i < 25 ? AHEAD : 0);

for (const [name, timeOf, times] of [
  ['', rising, place],
  [
    ', also where a clock was wrong for a while',
    wrong,
    fc.oneof(
      place,
      place.map((at) => at + AHEAD),
    ),
  ],
] as const)
  test(`every question gets the answer that a plain list gives${name}`, () => {
    using folder = temporaryFolder();
    const db: DatabaseSync = openState(folder.path);
    try {
      const rows = new ChangeRows(db);
      const plain = new SmallChangeLog();
      for (let i = 0; i < COUNT; i++) {
        const change = CHANGES[(i * 7) % CHANGES.length];
        const url = `http://a.test/${i}` as CanonicalUrl;
        const at = timeOf(i);
        rows.append(at, url, change, i % 2 === 0 ? `Title ${i}` : undefined);
        plain.add(change, url, i % 2 === 0 ? `Title ${i}` : undefined, at);
      }
      const log = new SqliteChangeLog(db);
      fc.assert(
        fc.property(queriesAt(times), (query) => assert.deepEqual([...log.changes(query)], plain.changes(query))),
      );
    } finally {
      db.close();
    }
  });
