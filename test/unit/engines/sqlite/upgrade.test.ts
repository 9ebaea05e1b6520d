import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { duplicateEdges } from '../../../../src/engines/sqlite/duplicate-listing.ts';
import { SqliteChangeLog } from '../../../../src/engines/sqlite/sqlite-change-log.ts';
import { SqlitePageStore } from '../../../../src/engines/sqlite/sqlite-page-store.ts';
import { openStateForReading, statePath } from '../../../../src/engines/sqlite/state-database.ts';
import { factsOf, openedState, page, temporaryFolder, visitAll } from './state-folder.ts';

const HOUR = 3_600_000;
const URLS = ['http://a.test/1', 'http://a.test/2', 'http://b.test/1'];

/** Takes away what came with the versions after it. */
function setBackTo(version: 1 | 2, folder: string): void {
  const db = new DatabaseSync(statePath(folder));
  db.exec(
    'DROP TABLE link_batch; DROP TABLE learning; DROP INDEX likeness_near_to; ALTER TABLE likeness DROP COLUMN has_left',
  );
  db.exec(`INSERT INTO later SELECT * FROM revisit; DROP TABLE revisit; DROP TABLE place; DROP TABLE change;
    ALTER TABLE page DROP COLUMN next_why; ALTER TABLE page DROP COLUMN changes; ALTER TABLE page DROP COLUMN held;
    UPDATE meta SET value = json_remove(json_set(value, '$.later', (SELECT count(*) FROM later)), '$.planned', '$.revisits')
      WHERE name = 'counters';
    DELETE FROM meta WHERE name IN ('places', 'revisits');
    PRAGMA user_version = ${version};`);
  if (version === 1) db.exec('DROP TABLE likeness');
  db.close();
}

for (const version of [1, 2] as const) {
  test(`a folder of version ${version} is read as it is, and goes on with all it holds`, async (t) => {
    const folder = temporaryFolder(t);
    const clock = new VirtualClock();
    const state = openedState(folder, clock);
    await visitAll(state, clock, URLS, ({ task }) => ({
      page: factsOf(task.url),
      ...(task.url === URLS[2] ? { nextVisit: clock.now() + HOUR } : {}),
    }));
    await state.frontier.add([page('http://c.test/1', { lane: 3 })]);
    const [claim] = await state.frontier.claim(1);
    await state.frontier.settle([{ claim, outcome: { kind: 'failed', code: 'reset' }, nextVisit: clock.now() + HOUR }]);
    await state.frontier.add([page('http://c.test/2', { lane: 4 })]);
    state[Symbol.dispose]();
    setBackTo(version, folder);

    const reader = openStateForReading(folder);
    const record = await new SqlitePageStore(reader).page(URLS[0] as CanonicalUrl);
    assert.deepEqual([record?.outcome, record?.facts?.digest, record?.place], [{ kind: 'stored' }, URLS[0], undefined]);
    assert.deepEqual([...new SqliteChangeLog(reader).changes({})], []);
    assert.deepEqual([...duplicateEdges(reader)], []);
    reader.close();

    const upgraded = openedState(folder, clock, { movable: true, revisits: true });
    const counts = await upgraded.frontier.counts();
    assert.deepEqual([counts.known, counts.queued, counts.planned], [5, 3, 1]);
    assert.deepEqual(
      [...upgraded.frontier.waiting()].map(({ host, lane }) => [host, lane]),
      [['c.test', 4]],
    );
    clock.advance(HOUR);
    const claims = await upgraded.frontier.claim(9);
    assert.deepEqual(claims.map(({ task }) => task.url).sort(), [URLS[2], 'http://c.test/1']);
    assert.equal(claims.find(({ task }) => task.url === URLS[2])?.earlier?.digest, URLS[2]);
    upgraded[Symbol.dispose]();
    openedState(folder, clock)[Symbol.dispose]();
  });
}
