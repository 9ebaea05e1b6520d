import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { salvageState } from '../../../../src/engines/repair/salvage-state.ts';
import { duplicateEdges } from '../../../../src/engines/sqlite/duplicate-listing.ts';
import { SqliteChangeLog } from '../../../../src/engines/sqlite/sqlite-change-log.ts';
import { SqlitePageStore } from '../../../../src/engines/sqlite/sqlite-page-store.ts';
import { openStateForReading, statePath } from '../../../../src/engines/sqlite/state-database.ts';
import { defaultPoliteness } from '../../../../src/frontier/politeness.ts';
import { factsOf, openedState, page, temporaryFolder, visitAll } from './state-folder.ts';

const HOUR = 3_600_000;
const URLS = ['http://a.test/1', 'http://a.test/2', 'http://b.test/1'];

/** A host had one lease at most. */
const FORMER_LEASES = `ALTER TABLE lease RENAME TO later_lease;
  CREATE TABLE lease (host INTEGER PRIMARY KEY, lane INTEGER NOT NULL, ord INTEGER NOT NULL, until REAL NOT NULL);
  INSERT INTO lease SELECT host, lane, ord, until FROM later_lease; DROP TABLE later_lease;`;

/** Takes away what came with the versions after it. */
function setBackTo(version: 1 | 2, folder: string): void {
  const db = new DatabaseSync(statePath(folder));
  db.exec(FORMER_LEASES);
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

/** A folder of version 6 whose process was killed while it asked a host. */
async function killedAtVersion6(folder: string, clock: VirtualClock): Promise<void> {
  const state = openedState(folder, clock, RESTS);
  await state.frontier.add([page('http://a.test/1'), page('http://a.test/2')]);
  assert.equal((await state.frontier.claim(1)).length, 1);
  state[Symbol.dispose]();
  const db = new DatabaseSync(statePath(folder));
  db.exec(`${FORMER_LEASES} PRAGMA user_version = 6`);
  db.close();
}

const RESTS = { politeness: { ...defaultPoliteness, minimumDelayMs: 1000, delayFactor: 0 } };

for (const isSalvaged of [false, true])
  test(`a lease that version 6 left behind lets its host rest${isSalvaged ? ', also where the state is salvaged' : ''}`, async (t) => {
    const folder = temporaryFolder(t);
    const clock = new VirtualClock();
    await killedAtVersion6(folder, clock);
    if (isSalvaged) {
      const { tables } = salvageState(folder);
      assert.deepEqual(
        tables.filter(({ table }) => table === 'lease').map(({ rows, unsound }) => [rows, unsound]),
        [[1, 0]],
      );
      return;
    }
    using state = openedState(folder, clock, RESTS);
    assert.deepEqual(await state.frontier.claim(9), []);
    clock.advance(1000);
    assert.equal((await state.frontier.claim(9)).length, 1);
  });
