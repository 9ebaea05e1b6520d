import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostOrder, HostPlaceInList } from '../../../../src/contracts/state/host-directory.ts';
import { FolderHostDirectory } from '../../../../src/engines/directory/host-directory.ts';
import { openHostDirectory } from '../../../../src/engines/open-host-directory.ts';
import { openMonitor } from '../../../../src/engines/open-monitor.ts';
import { openState } from '../../../../src/engines/sqlite/state-database.ts';
import { NOON, temporaryFolder } from '../../archive/archive-fixture.ts';

/** A state with many hosts; the third of every ten has errors. */
function folderOfHosts(t: Parameters<typeof temporaryFolder>[0], count: number): string {
  const folder = temporaryFolder(t);
  using db = openState(folder);
  using monitor = openMonitor(folder);
  db.exec('BEGIN');
  const add = db.prepare(`INSERT INTO host VALUES (?, ?, ?, 0, NULL, 0, ?, 0, 0, ?, ?, ?, ?, 5, ?, NULL, 1)`);
  for (let id = 0; id < count; id++)
    add.run(id, `h${id}.example`, NOON + id, id % 300, id % 5, id % 3, id % 11, id * 10, id % 50 === 0 ? 4 : 0);
  db.exec(`INSERT INTO robots VALUES ('http://h7.example', '{"state":"rules","why":"read","fetchedAt":1}'); COMMIT`);
  const hosts = Array.from({ length: count / 10 }, (_, at) => ({
    ...{ host: `h${at * 10 + 3}.example`, requests: 9, failures: at + 1, status: { 2: 1, 3: 0, 4: 0, 5: 0 } },
    gaps: { count: 2, early: 0, tightest: { gapMs: 1000 + at, owedMs: 1000 } },
  }));
  const sample = { at: NOON, run: NOON, pages: 0, requests: 0, bytes: 0, failed: 0, refused: 0, duplicates: 0 };
  monitor.write({
    sample: { ...sample, queued: 0, hosts: 0, inFlight: 0, memory: 0 },
    ...{ hosts, troubles: [], statuses: {}, politeness: { count: 0, early: 0, classes: [] } },
  });
  return folder;
}

test('every host is listed once, in order, page by page, by each key and in both directions', (t) => {
  using directory = new FolderHostDirectory(folderOfHosts(t, 300));
  const orders: readonly HostOrder[] = ['host', 'queued', 'pages', 'bytes', 'slow', 'next', 'errors', 'slack'];
  for (const order of orders)
    for (const descending of [true, false]) {
      const seen: string[] = [];
      let after: HostPlaceInList | undefined;
      do {
        const page = directory.list({ order, descending, limit: 64, ...(after && { after }) });
        assert.equal(page.matching, 300);
        seen.push(...page.hosts.map(({ record }) => record.host));
        after = page.next;
      } while (after !== undefined);
      assert.equal(seen.length, 300, `${order} ${descending}`);
      assert.equal(new Set(seen).size, 300);
    }
  const [most] = directory.list({ order: 'errors', descending: true, limit: 1 }).hosts;
  assert.deepEqual([most.record.host, most.tally?.failures], ['h293.example', 30]);
  const [tight] = directory.list({ order: 'slack', descending: false, limit: 1 }).hosts;
  assert.equal(tight.record.host, 'h3.example');
  const [parked] = directory.list({ order: 'next', descending: false, limit: 1, search: 'h50.' }).hosts;
  assert.equal(parked.record.parked, 'unreachable');
});

test('a search takes part of a name, and signs for what they are', async (t) => {
  await using directory = openHostDirectory(folderOfHosts(t, 100));
  const names = async (search: string) =>
    (await directory.list({ order: 'host', descending: false, limit: 50, search })).hosts.map(
      ({ record }) => record.host,
    );
  assert.deepEqual(await names('h7.'), ['h7.example']);
  assert.deepEqual(await names('%'), []);
  assert.deepEqual(await names("'; DROP TABLE host; --"), []);
  const { hosts, matching } = await directory.list({ order: 'host', descending: false, limit: 5, search: '7.ex' });
  assert.deepEqual([hosts.length, matching], [5, 10]);
  const seventh = await directory.list({ order: 'host', descending: false, limit: 5, search: 'h7.ex' });
  assert.equal(seventh.hosts[0].robots?.state, 'rules');
});

test('a folder without a crawl is an error, not a hang', async (t) => {
  const directory = openHostDirectory(temporaryFolder(t));
  await assert.rejects(directory.list({ order: 'host', descending: false, limit: 5 }), /no crawl/i);
});
