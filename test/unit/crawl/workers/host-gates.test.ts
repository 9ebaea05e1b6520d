import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim, HostUse } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import type { PageWork } from '../../../../src/crawl/visit/page-work.ts';
import { HostGates } from '../../../../src/crawl/workers/host-gates.ts';

const USE: HostUse = { fetchMs: 1, bytes: 1, endedAt: 1 };
const PUSHED: HostUse = { ...USE, pushback: { kind: 'busy', why: 'HTTP 429' } };
const LOOKED: PageWork = { kind: 'looked', why: '', use: USE };

function claimOf(id: number, host = 'a.test', expiresAt = 1e6): Claim {
  const task = {
    ...{ url: `http://${host}/${id}` as CanonicalUrl, host: host as HostKey, depth: 0, redirects: 0, lane: 0 },
    discovery: { how: 'link' as const },
    purpose: 'page' as const,
  };
  return { id, task, tries: 0, claimedAt: 0, dueAt: 0, expiresAt };
}

/** Gates of hosts of which b.test has one request at a time, and what they have let begin, told and given back. */
function openGates() {
  const seen = { begun: [] as number[], answered: [] as [number, number?][], unbegun: [] as number[], now: 7 };
  const gates = new HostGates({
    atOnce: (host) => (host === 'b.test' ? 1 : 3),
    now: () => seen.now,
    longestRequestMs: 1000,
    begin: ({ id }) => void seen.begun.push(id),
    answered: ({ id }, next) => {
      seen.answered.push(next === undefined ? [id] : [id, next.claim.id]);
      assert.equal(next?.at ?? seen.now, seen.now);
    },
    unbegun: (claims) => void seen.unbegun.push(...claims.map(({ id }) => id)),
  });
  return { gates, seen };
}

test('what was claimed ahead begins in place of what is answered, one for one and in order', () => {
  const { gates, seen } = openGates();
  const [one, two, three] = [1, 2, 3].map((id) => claimOf(id));
  gates.start([one, two, three]);
  gates.startAhead([4, 5].map((id) => claimOf(id)));
  assert.deepEqual(seen.begun, [1, 2, 3]);
  gates.answered(two);
  assert.deepEqual(seen.begun, [1, 2, 3, 4]);
  assert.equal(gates.ended(two, LOOKED), false);
  // A request that was not needed, or of another kind than a page, makes room when its visit ends.
  assert.equal(gates.ended(one, { kind: 'refused', by: 'robots', rule: 'Disallow: /' }), false);
  assert.equal(gates.ended(three, LOOKED), false);
  assert.deepEqual(seen.begun, [1, 2, 3, 4, 5]);
  assert.deepEqual(seen.answered, [[2, 4], [1, 5], [3]]);
});

test('one of two that wait for the same robots.txt lets no third wait for it', () => {
  const { gates, seen } = openGates();
  gates.start([claimOf(1)]);
  gates.startAhead([claimOf(2)]);
  assert.equal(gates.ended(claimOf(1), { kind: 'awaiting-robots' }), false);
  assert.deepEqual(seen, { begun: [1], answered: [], unbegun: [], now: 7 });
});

for (const [what, work] of [
  ['asks for patience', { kind: 'looked', why: '', use: PUSHED }],
  ['failed', { kind: 'failed', code: 'reset', detail: '', use: USE }],
  ['was lost', { kind: 'lost', why: '', use: USE }],
] as const)
  test(`nothing begins between an answer that ${what} and its settlement, and what waits goes back then`, () => {
    for (const isToldAtOnce of [true, false]) {
      const { gates, seen } = openGates();
      const [one, two, other] = [claimOf(1), claimOf(2), claimOf(9, 'c.test')];
      gates.start([one, two, other]);
      gates.startAhead([3, 4].map((id) => claimOf(id)));
      if (isToldAtOnce) gates.close(one);
      assert.equal(gates.ended(one, work), true);
      gates.answered(two);
      gates.start([claimOf(5)]);
      gates.grant([3]);
      gates.startAhead([claimOf(6), claimOf(10, 'c.test')]);
      assert.deepEqual([seen.begun, seen.answered, seen.unbegun], [[1, 2, 9], [[2]], []]);
      gates.answered(other);
      assert.deepEqual(seen.begun, [1, 2, 9, 10], 'another host goes on');
      gates.settled([one]);
      assert.deepEqual(seen.unbegun.sort(), [3, 4, 5, 6]);
      gates.start([claimOf(7)]);
      assert.deepEqual(seen.begun, [1, 2, 9, 10, 7]);
    }
  });

test('a gate that two answers have closed opens with the settlement of both', () => {
  const { gates, seen } = openGates();
  gates.start([1, 2].map((id) => claimOf(id)));
  gates.close(claimOf(1));
  gates.close(claimOf(2));
  gates.start([claimOf(3)]);
  gates.settled([claimOf(1), claimOf(8)]);
  assert.deepEqual(seen.unbegun, []);
  gates.settled([claimOf(2)]);
  assert.deepEqual(seen.unbegun, [3]);
});

test('a grant begins one of those that wait, and none that has begun', () => {
  const { gates, seen } = openGates();
  gates.start([claimOf(1)]);
  gates.startAhead([2, 3].map((id) => claimOf(id)));
  gates.answered(claimOf(1));
  gates.grant([2, 3, 4]);
  assert.deepEqual(seen.begun, [1, 2, 3]);
});

test('what is recalled goes back, of all hosts, and so does what a lease would not outlast', () => {
  const { gates, seen } = openGates();
  gates.start([claimOf(1)]);
  gates.startAhead([claimOf(2), claimOf(3, 'c.test')]);
  gates.recall();
  gates.recall();
  assert.deepEqual(seen.unbegun, [2, 3]);
  gates.startAhead([claimOf(4, 'a.test', 1006), claimOf(5, 'a.test', 1007), claimOf(6, 'a.test', 1000)]);
  gates.answered(claimOf(1));
  gates.grant([6]);
  assert.deepEqual(
    [seen.begun, seen.unbegun],
    [
      [1, 5],
      [2, 3, 4, 6],
    ],
  );
});

test('hosts with one request at a time have no gate', () => {
  const { gates, seen } = openGates();
  const claim = claimOf(1, 'b.test');
  gates.start([claim]);
  gates.answered(claim);
  gates.close(claim);
  assert.equal(gates.ended(claim, { kind: 'failed', code: 'reset', detail: '', use: USE }), false);
  gates.start([claimOf(2, 'b.test')]);
  assert.deepEqual(seen, { begun: [1, 2], answered: [], unbegun: [], now: 7 });
});
