import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fingerprint } from '../../src/base/fingerprint.ts';
import { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { RobotsRecord } from '../../src/contracts/content/robots.ts';
import type { CrawlTask, Settlement } from '../../src/contracts/crawl-task.ts';
import type { Message } from '../../src/contracts/state/exchange.ts';
import type { Nodes } from '../../src/contracts/state/nodes.ts';
import type { HostKey } from '../../src/contracts/url.ts';
import { DELAY, options, settled, task } from './opened-frontier.ts';
import type { PartitionUnderTest, SharedState, StateEngine, StateUnderTest } from './opened-state.ts';

const LEASE = 30_000;
const REQUEST = 5000;
const PARTITIONS = 4;
const LOST = { code: 'PARTITION_LOST' };
const HOUR = 3_600_000;

interface Both {
  readonly a: StateUnderTest;
  readonly b: StateUnderTest;
  readonly clock: VirtualClock;
}

/** A host of a partition. */
function hostIn(state: StateUnderTest, partition: number, not: readonly string[] = []): string {
  for (let n = 0; ; n++) {
    const host = `h${n}.test`;
    if (state.partitions.partitionOf(host as HostKey) === partition && !not.includes(host)) return host;
  }
}

async function ownAll(state: StateUnderTest): Promise<PartitionUnderTest[]> {
  const leases = await state.partitions.acquire(Number.POSITIVE_INFINITY);
  return await Promise.all(leases.map((lease) => state.open(lease)));
}

function robotsOf(host: string, crawlDelayMs: number, fetchedAt: number): RobotsRecord {
  const origin = `http://${host}`;
  return { origin, fetchedAt, expiresAt: 1e15, state: 'rules', why: 'read', redirects: 0, crawlDelayMs };
}

/** The one suite that every engine behind the `CrawlState` contract passes; what it cannot have is skipped, and seen to be. */
export function stateConformance(engine: StateEngine): void {
  const withState = async (
    body: (shared: SharedState, clock: VirtualClock) => Promise<void>,
    partitions = engine.isShared ? PARTITIONS : 1,
  ): Promise<void> => {
    const clock = new VirtualClock();
    const shared = await engine.create(clock, { partitions, leaseMs: LEASE });
    try {
      await body(shared, clock);
    } finally {
      await shared.close();
    }
  };
  /** Cases that need a second node, or a second partition. */
  const testShared = (name: string, body: () => Promise<void>) =>
    test(name, { skip: engine.isShared ? false : 'the engine has one partition' }, body);
  const suiteOptions = { ...options, maxRequestMs: REQUEST };
  const open = (shared: SharedState, name: string, clock: VirtualClock) => shared.node(name, clock, suiteOptions);

  describe(`CrawlState: ${engine.name}: owners`, () => {
    test('all partitions are given out once, and every host belongs to one', () =>
      withState(async (shared, clock) => {
        const state = await open(shared, 'a', clock);
        const { count } = state.partitions;
        const leases = await state.partitions.acquire(count + 5);
        assert.deepEqual(leases.map(({ partition }) => partition).sort(), [...Array(count).keys()]);
        assert.deepEqual(await state.partitions.acquire(count), []);
        for (let n = 0; n < 50; n++) {
          const partition = state.partitions.partitionOf(`h${n}.test` as HostKey);
          assert.ok(partition >= 0 && partition < count);
          assert.equal(state.partitions.partitionOf(`h${n}.test` as HostKey), partition);
        }
      }));

    test('no more are given than asked for', () =>
      withState(async (shared, clock) => {
        const state = await open(shared, 'a', clock);
        assert.deepEqual(await state.partitions.acquire(0), []);
        assert.equal((await state.partitions.acquire(1)).length, 1);
      }));

    testShared('only those that are named are taken', () =>
      withState(async (shared, clock) => {
        const state = await open(shared, 'a', clock);
        const numbers = async (among: number[]): Promise<number[]> =>
          (await state.partitions.acquire(9, among)).map(({ partition }) => partition);
        assert.deepEqual(await numbers([]), []);
        assert.deepEqual(await numbers([1, 3]), [1, 3]);
        assert.deepEqual(await numbers([1, 2, 3]), [2]);
      }),
    );

    test('a second process gets nothing that is owned: it is refused, or finds none', () =>
      withState(async (shared, clock) => {
        const [first] = await ownAll(await open(shared, 'a', clock));
        if (engine.isShared) assert.deepEqual(await (await open(shared, 'b', clock)).partitions.acquire(9), []);
        else await assert.rejects(open(shared, 'b', clock), { code: 'FOLDER_IN_USE' });
        assert.deepEqual(await first.frontier.settle([]), []);
      }));

    test('the epoch rises with every owner, also after a kill', () =>
      withState(async (shared, clock) => {
        const epochs: number[] = [];
        for (let run = 0; run < 3; run++) {
          const state = await open(shared, 'a', clock);
          const [lease] = await state.partitions.acquire(1);
          epochs.push(lease.epoch);
          if (run === 1) await state.partitions.release([lease]);
          await shared.kill('a');
        }
        assert.ok(epochs[0] < epochs[1] && epochs[1] < epochs[2], epochs.join(' '));
      }));

    test('a lease that was given back opens nothing and is not renewed', () =>
      withState(async (shared, clock) => {
        const state = await open(shared, 'a', clock);
        const leases = await state.partitions.acquire(9);
        assert.equal((await state.partitions.renew(leases)).length, leases.length);
        await state.partitions.release([leases[0]]);
        assert.deepEqual(
          (await state.partitions.renew(leases)).map(({ partition }) => partition),
          leases.slice(1).map(({ partition }) => partition),
        );
        await assert.rejects(state.open(leases[0]), LOST);
      }));

    test('whoever has lost its partition is fenced: every write says so, and none changes anything', () =>
      withState(async (shared, clock) => {
        const state = await open(shared, 'a', clock);
        const [lease] = await state.partitions.acquire(1);
        const former = await state.open(lease);
        const host = hostIn(state, lease.partition);
        await former.frontier.add([task(`http://${host}/1`), task(`http://${host}/2`)]);
        const [claim] = await former.frontier.claim(9);
        await state.partitions.release([lease]);
        const [next] = await state.partitions.acquire(1);
        const owner = await state.open(next);
        const before = await owner.frontier.counts();
        const late = settled(claim, clock, { links: [task(`http://${host}/late`)] });
        assert.deepEqual(await former.frontier.settle([late, late]), ['fenced', 'fenced']);
        assert.deepEqual(await former.frontier.add([task(`http://${host}/3`)]), ['fenced']);
        assert.deepEqual(await former.frontier.claim(9), []);
        const message: Message = {
          from: 0,
          to: 0,
          number: 1,
          body: { kind: 'links', tasks: [task(`http://${host}/4`)] },
        };
        assert.equal(await former.frontier.accept([message]), false);
        await assert.rejects(former.frontier.release([claim]), LOST);
        await assert.rejects(former.frontier.holdHosts([host as HostKey], clock.now() + HOUR, 'late'), LOST);
        assert.deepEqual(await owner.frontier.counts(), before);
        clock.advance(DELAY + REQUEST);
        const [again] = await owner.frontier.claim(9);
        assert.equal(again.task.url, claim.task.url);
        assert.deepEqual(await owner.frontier.settle([settled(again, clock)]), ['applied']);
      }));

    testShared('two nodes share the partitions, and what one gives back the other takes', () =>
      withState(async (shared, clock) => {
        const a = await open(shared, 'a', clock);
        const b = await open(shared, 'b', clock);
        const ofA = await a.partitions.acquire(2);
        const ofB = await b.partitions.acquire(9);
        assert.deepEqual([...ofA, ...ofB].map(({ partition }) => partition).sort(), [0, 1, 2, 3]);
        await a.partitions.release([ofA[1]]);
        const [moved] = await b.partitions.acquire(9);
        assert.deepEqual([moved.partition, moved.epoch > ofA[1].epoch], [ofA[1].partition, true]);
      }),
    );

    testShared('a paused owner is fenced: it settles nothing, and its URL is settled once by the next', () =>
      withState(async (shared, clock) => {
        const a = await open(shared, 'a', clock);
        const paused = (await ownAll(a))[0];
        const { partition } = paused.lease;
        const host = hostIn(a, partition);
        await paused.frontier.add([task(`http://${host}/`)]);
        const [claim] = await paused.frontier.claim(1);
        clock.advance(LEASE + 1);
        const b = await open(shared, 'b', clock);
        const next = (await ownAll(b)).find(({ lease }) => lease.partition === partition) as PartitionUnderTest;
        assert.deepEqual(await paused.frontier.settle([settled(claim, clock)]), ['fenced']);
        assert.deepEqual(await a.partitions.renew([paused.lease]), []);
        assert.equal((await next.pages.page(claim.task.url))?.outcome, undefined);
        clock.advance(DELAY + REQUEST);
        await b.partitions.renew([next.lease]);
        const [again] = await next.frontier.claim(1);
        assert.deepEqual(await next.frontier.settle([settled(again, clock)]), ['applied']);
        assert.deepEqual(
          await paused.frontier.settle([settled(claim, clock, { outcome: { kind: 'gone', status: 404 } })]),
          ['fenced'],
        );
        assert.deepEqual((await next.pages.page(claim.task.url))?.outcome, { kind: 'stored' });
      }),
    );

    testShared(
      'past its deadline an owner begins nothing; what it has it may settle while nobody came; renewed, it goes on',
      () =>
        withState(async (shared, clock) => {
          const a = await open(shared, 'a', clock);
          const [owned] = await ownAll(a);
          const host = hostIn(a, owned.lease.partition);
          await owned.frontier.add([1, 2, 3].map((n) => task(`http://${host}/${n}`)));
          const [claim] = await owned.frontier.claim(1);
          assert.ok(owned.lease.deadline < clock.now() + LEASE, 'before the store lets it go');
          clock.advanceTo(owned.lease.deadline);
          assert.deepEqual(await owned.frontier.settle([settled(claim, clock)]), ['applied']);
          clock.advance(LEASE);
          assert.deepEqual(await owned.frontier.claim(9), []);
          const [renewed] = await a.partitions.renew([owned.lease]);
          assert.ok(renewed.deadline > clock.now());
          assert.equal((await owned.frontier.claim(9)).length, 1);
        }),
    );
  });

  describe(`CrawlState: ${engine.name}: takeover`, () => {
    // No request begins after the end of a lease: what a request may last counts from there.
    const takenOver = (lateMs: number, restMs: number): Promise<void> =>
      withState(async (shared, clock) => {
        const a = await open(shared, 'a', clock);
        const leased = clock.now();
        const former = (await ownAll(a))[0];
        const { partition } = former.lease;
        const host = hostIn(a, partition);
        await former.frontier.add([1, 2].map((n) => task(`http://${host}/${n}`)));
        // Just before its deadline, so that the request may be under way when the next owner comes.
        clock.advanceTo(former.lease.deadline - 1);
        assert.equal((await former.frontier.claim(1)).length, 1);
        const b = await open(shared, 'b', clock);
        clock.advanceTo(leased + LEASE - 1);
        assert.deepEqual(await ownAll(b), []);
        clock.advance(1 + lateMs);
        const next = (await ownAll(b)).find(({ lease }) => lease.partition === partition) as PartitionUnderTest;
        clock.advance(restMs - 1);
        assert.deepEqual(await next.frontier.claim(9), []);
        clock.advance(1);
        assert.equal((await next.frontier.claim(9)).length, 1, 'and not longer');
      });

    testShared('a host that the former owner may just have asked rests for its delay and a whole request', () =>
      takenOver(0, DELAY + REQUEST),
    );

    testShared('what has passed since the lease of the former owner ran out counts', async () => {
      await takenOver(REQUEST - 1000, DELAY + 1000);
      await takenOver(REQUEST + 1000, DELAY);
    });

    testShared('rests, holds, Crawl-delays, retries and known URLs pass to the next owner', () =>
      withState(async (shared, clock) => {
        const a = await open(shared, 'a', clock);
        const former = (await ownAll(a))[0];
        const { partition } = former.lease;
        const [held, slow, failed] = ['held', 'slow', 'failed'].reduce<string[]>(
          (hosts) => [...hosts, hostIn(a, partition, hosts)],
          [],
        );
        const known = [held, slow, failed].flatMap((host) => [1, 2].map((n) => task(`http://${host}/${n}`)));
        await former.frontier.add(known);
        const claims = await former.frontier.claim(9);
        const end = clock.now();
        await former.frontier.settle(
          claims.map((claim) => {
            const use = { fetchMs: 10, bytes: 1, endedAt: end };
            const busy = { kind: 'busy', why: 'HTTP 429', retryAfterMs: HOUR } as const;
            const failure = { outcome: { kind: 'failed', code: 'reset' } as const, nextVisit: end + 2 * HOUR };
            if (claim.task.host === held) return settled(claim, clock, { ...failure, use: { ...use, pushback: busy } });
            if (claim.task.host === failed) return settled(claim, clock, failure);
            return settled(claim, clock, { use, robots: robotsOf(slow, 600_000, end) });
          }),
        );
        await a.partitions.release([former.lease]);
        const b = await open(shared, 'b', clock);
        const [next] = await ownAll(b);
        assert.deepEqual(
          await next.frontier.add(known),
          known.map(() => 'known'),
        );
        const asked = new Map<string, number>();
        for (let turn = 0; turn < 3 * 60; turn++) {
          clock.advance(60_000);
          await b.partitions.renew([next.lease]);
          for (const claim of await next.frontier.claim(9)) {
            if (!asked.has(claim.task.url)) asked.set(claim.task.url, clock.now() - end);
            await next.frontier.settle([settled(claim, clock)]);
          }
        }
        assert.equal(asked.get(`http://${slow}/2`), 600_000);
        assert.equal(asked.get(`http://${held}/2`), HOUR);
        assert.equal(asked.get(`http://${failed}/2`), 60_000);
        assert.equal(asked.get(`http://${failed}/1`), 2 * HOUR);
      }),
    );

    testShared('clocks apart: leases end by the clock of the store, and no wait is longer or shorter for it', () =>
      withState(async (shared, clock) => {
        const ahead = new VirtualClock(clock.now() + 7 * HOUR);
        const behind = new VirtualClock(clock.now() - 3 * HOUR);
        const pass = (ms: number): void => {
          for (const one of [clock, ahead, behind]) one.advance(ms);
        };
        const a = await open(shared, 'a', ahead);
        const b = await open(shared, 'b', behind);
        const former = (await ownAll(a))[0];
        const { partition } = former.lease;
        const [resting, held] = [hostIn(a, partition), hostIn(a, partition, [hostIn(a, partition)])];
        await former.frontier.add([resting, held].flatMap((host) => [1, 2].map((n) => task(`http://${host}/${n}`))));
        assert.deepEqual(await b.partitions.acquire(9), [], 'a clock that is behind takes nothing');
        const claims = await former.frontier.claim(9);
        assert.deepEqual(
          claims.map(({ claimedAt }) => claimedAt),
          [ahead.now(), ahead.now()],
        );
        const use = { fetchMs: 10, bytes: 1, endedAt: ahead.now() };
        const busy = { kind: 'busy', why: 'HTTP 429', retryAfterMs: LEASE + 5000 } as const;
        await former.frontier.settle(
          claims.map((claim) =>
            settled(claim, ahead, { use: claim.task.host === held ? { ...use, pushback: busy } : use }),
          ),
        );
        pass(DELAY);
        const [second] = await former.frontier.claim(9);
        assert.equal(second.task.host, resting);
        pass(LEASE);
        assert.equal((await b.partitions.acquire(0)).length, 0);
        const next = (await ownAll(b)).find(({ lease }) => lease.partition === partition) as PartitionUnderTest;
        assert.deepEqual(await former.frontier.settle([settled(second, ahead)]), ['fenced']);
        assert.deepEqual(await next.frontier.claim(9), []);
        pass(4000);
        const due = await next.frontier.nextDue();
        assert.ok(due !== undefined && due - behind.now() <= REQUEST + DELAY, 'told in the time of the node');
        assert.deepEqual(
          (await next.frontier.claim(9)).map(({ task: { host } }) => host),
          [held],
          'after 36 s of hold',
        );
        pass(2000);
        const [last] = await next.frontier.claim(9);
        assert.deepEqual([last.task.url, last.claimedAt], [second.task.url, behind.now()]);
      }),
    );
  });

  describe(`CrawlState: ${engine.name}: messages`, () => {
    /** Two partitions and a page of the first that links to the second. */
    const withPair = (
      body: (pair: {
        readonly state: StateUnderTest;
        readonly clock: VirtualClock;
        readonly sender: PartitionUnderTest;
        readonly receiver: PartitionUnderTest;
        readonly from: string;
        readonly to: string;
        /** Settles a page of the sender, with these links. */
        readonly settle: (links: readonly CrawlTask[], extra?: Partial<Settlement>) => Promise<void>;
      }) => Promise<void>,
    ): Promise<void> =>
      withState(async (shared, clock) => {
        const state = await open(shared, 'a', clock);
        const [sender, receiver] = await ownAll(state);
        const from = hostIn(state, sender.lease.partition);
        const to = hostIn(state, receiver.lease.partition);
        let pages = 0;
        const settle = async (links: readonly CrawlTask[], extra: Partial<Settlement> = {}): Promise<void> => {
          await sender.frontier.add([task(`http://${from}/page-${pages++}`)]);
          clock.advance(DELAY);
          const [claim] = await sender.frontier.claim(1);
          assert.deepEqual(await sender.frontier.settle([settled(claim, clock, { links, ...extra })]), ['applied']);
        };
        await body({ state, clock, sender, receiver, from, to, settle });
      }, 2);

    test('a message is applied once, however often it comes', () =>
      withState(async (shared, clock) => {
        const state = await open(shared, 'a', clock);
        const [owned] = await ownAll(state);
        const host = hostIn(state, owned.lease.partition);
        const robots = task(`http://${host}/other-robots.txt`, { purpose: 'robots', forOrigin: 'http://x.test' });
        const tasks = [task(`http://${host}/1`), task(`http://${host}/2`), robots];
        const message: Message = { from: 7, to: 0, number: 1, body: { kind: 'links', tasks } };
        assert.equal(await owned.frontier.accept([message, message]), true);
        assert.equal(await owned.frontier.accept([message]), true);
        const { known, queued } = await owned.frontier.counts();
        assert.deepEqual([known, queued], [2, 3]);
        const told = (crawlDelayMs: number, fetchedAt: number): Message => ({
          ...{ from: 7, to: 0, number: 2, body: { kind: 'robots', record: robotsOf(host, crawlDelayMs, fetchedAt) } },
        });
        await owned.frontier.accept([told(9000, 20), told(9000, 20), told(4000, 10)]);
        assert.equal((await owned.pages.host(host as HostKey))?.crawlDelayMs, 9000, 'the later file counts');
      }));

    test('an exchange without other partitions has nothing to receive', () =>
      withState(async (shared, clock) => {
        const state = await open(shared, 'a', clock);
        const [owned] = await ownAll(state);
        await owned.frontier.add([task(`http://${hostIn(state, owned.lease.partition)}/`)]);
        const [claim] = await owned.frontier.claim(1);
        const links = [task(`http://${hostIn(state, owned.lease.partition)}/1`)];
        await owned.frontier.settle([settled(claim, clock, { links })]);
        assert.deepEqual(await state.exchange.receive([owned.lease], 9), []);
        assert.equal(await state.exchange.pending(), 0);
      }));

    testShared('links to hosts of another partition are foreign, and are taken in there alone', () =>
      withPair(async ({ state, sender, receiver, from, to, settle }) => {
        const links = [`http://${from}/1`, `http://${to}/1`].map((url) => task(url));
        const keys = {
          fingerprints: BigUint64Array.from(links, ({ url }) => fingerprint(url)),
          host: (place: number) => links[place].host,
        };
        assert.deepEqual(await sender.frontier.unknown([keys, keys]), [
          { unknown: [0], foreign: [1] },
          { unknown: [0], foreign: [1] },
        ]);
        assert.deepEqual(await sender.frontier.add([links[1]]), ['foreign']);
        await settle(links);
        assert.deepEqual(await receiver.frontier.claim(9), []);
        const messages = await state.exchange.receive([receiver.lease], 9);
        assert.deepEqual(
          messages.map(({ from: partition, body }) => [
            partition,
            body.kind === 'links' && body.tasks.map(({ url }) => url),
          ]),
          [[sender.lease.partition, [`http://${to}/1`]]],
        );
        assert.deepEqual(await state.exchange.receive([sender.lease], 9), []);
        await receiver.frontier.accept(messages);
        await state.exchange.ack([receiver.lease], messages);
        assert.equal(await state.exchange.pending(), 0);
        assert.equal((await receiver.frontier.claim(9))[0].task.url, `http://${to}/1`);
        assert.deepEqual(await receiver.frontier.unknown([keys]), [{ unknown: [], foreign: [0] }]);
      }),
    );

    testShared('one question brings the messages of all partitions of a node, and one answer acknowledges them', () =>
      withState(async (shared, clock) => {
        const a = await open(shared, 'a', clock);
        const [sender, ...receivers] = await ownAll(a);
        const leases = receivers.map(({ lease }) => lease);
        const hosts = receivers.map(({ lease }) => hostIn(a, lease.partition));
        await sender.frontier.add([task(`http://${hostIn(a, sender.lease.partition)}/`)]);
        const [claim] = await sender.frontier.claim(1);
        const links = hosts.map((host) => task(`http://${host}/1`));
        await sender.frontier.settle([settled(claim, clock, { links })]);
        await a.partitions.release([leases[2]]);
        const messages = await a.exchange.receive(leases, 9);
        assert.deepEqual(
          messages.map(({ to }) => to).sort(),
          leases.slice(0, 2).map(({ partition }) => partition),
          'none for the one that was given back',
        );
        for (const receiver of receivers.slice(0, 2)) {
          const own = messages.filter(({ to }) => to === receiver.lease.partition);
          assert.equal(await receiver.frontier.accept(own), true);
          assert.equal((await receiver.frontier.counts()).known, 1);
        }
        const lost = { ...messages[0], to: leases[2].partition };
        await a.exchange.ack(leases, [...messages, lost]);
        assert.equal(await a.exchange.pending(), 1);
      }),
    );

    testShared('lost, repeated and overtaken messages end in the same as one of each', () =>
      withPair(async ({ state, receiver, to, settle }) => {
        for (let n = 0; n < 3; n++) await settle([0, 1].map((k) => task(`http://${to}/${n + k}`)));
        const all = await state.exchange.receive([receiver.lease], 9);
        assert.equal(all.length, 3);
        // Lost on the way: nothing was acknowledged, so they are there again.
        assert.equal((await state.exchange.receive([receiver.lease], 2)).length, 2);
        await receiver.frontier.accept([all[2]]);
        await state.exchange.ack([receiver.lease], [all[2]]);
        await receiver.frontier.accept([all[1], all[0], all[1]]);
        await receiver.frontier.accept([all[2], all[0]]);
        assert.equal(await state.exchange.pending(), 2);
        await state.exchange.ack([receiver.lease], [all[1], all[0], all[1]]);
        assert.equal(await state.exchange.pending(), 0);
        const { known, queued } = await receiver.frontier.counts();
        assert.deepEqual([known, queued], [4, 4]);
      }),
    );

    testShared('what is not settled sends nothing', () =>
      withPair(async ({ state, clock, sender, receiver, from, to }) => {
        await sender.frontier.add([task(`http://${from}/`)]);
        const [claim] = await sender.frontier.claim(1);
        const sends = settled(claim, clock, { links: [task(`http://${to}/`)] });
        clock.advanceTo(claim.expiresAt);
        assert.deepEqual(await sender.frontier.settle([sends]), ['expired']);
        await state.partitions.release([sender.lease]);
        assert.deepEqual(await sender.frontier.settle([sends]), ['fenced']);
        assert.deepEqual(await state.exchange.receive([receiver.lease], 9), []);
      }),
    );

    testShared('an owner that was fenced neither receives nor acknowledges', () =>
      withPair(async ({ state, receiver, to, settle }) => {
        await settle([task(`http://${to}/`)]);
        const messages = await state.exchange.receive([receiver.lease], 9);
        await state.partitions.release([receiver.lease]);
        assert.equal(await receiver.frontier.accept(messages), false);
        await state.exchange.ack([receiver.lease], messages);
        assert.deepEqual(await state.exchange.receive([receiver.lease], 9), []);
        assert.equal(await state.exchange.pending(), 1);
        const [lease] = await state.partitions.acquire(1);
        assert.equal((await state.exchange.receive([lease], 9)).length, 1);
      }),
    );

    testShared('messages outlive their sender', () =>
      withState(async (shared, clock) => {
        const a = await open(shared, 'a', clock);
        const [sender] = await ownAll(a);
        const to = hostIn(a, 1);
        await sender.frontier.add([task(`http://${hostIn(a, 0)}/`)]);
        const [claim] = await sender.frontier.claim(1);
        await sender.frontier.settle([settled(claim, clock, { links: [task(`http://${to}/`)] })]);
        await shared.kill('a');
        clock.advance(LEASE + 1);
        const b = await open(shared, 'b', clock);
        const receiver = (await ownAll(b))[1];
        assert.equal((await b.exchange.receive([receiver.lease], 9)).length, 1);
      }, 2),
    );

    testShared('a robots.txt that lies in another partition binds its host', () =>
      withPair(async ({ state, clock, sender, receiver, from, to }) => {
        await receiver.frontier.add([task(`http://${to}/1`)]);
        await sender.frontier.add([
          task(`http://${from}/robots-of-the-other.txt`, { purpose: 'robots', forOrigin: `http://${to}` }),
        ]);
        const [claim] = await sender.frontier.claim(1);
        await sender.frontier.settle([settled(claim, clock, { robots: robotsOf(to, 9000, clock.now()) })]);
        const messages = await state.exchange.receive([receiver.lease], 9);
        await receiver.frontier.accept(messages);
        assert.equal((await receiver.pages.host(to as HostKey))?.crawlDelayMs, 9000);
        assert.equal((await receiver.pages.robots(`http://${to}`))?.crawlDelayMs, 9000);
        assert.equal((await sender.pages.host(from as HostKey))?.crawlDelayMs, undefined);
      }),
    );

    testShared('links that are judged later leave as messages as well', () =>
      withPair(async ({ state, sender, receiver, from, to, settle }) => {
        await settle([], { linkBatches: [Uint8Array.of(1)] });
        const batch = await sender.frontier.nextLinkBatch();
        assert.ok(batch !== undefined);
        const links = [task(`http://${from}/later`), task(`http://${to}/later`)];
        await sender.frontier.settleLinkBatch(batch, { links, refusals: [] });
        const messages = await state.exchange.receive([receiver.lease], 9);
        await receiver.frontier.accept(messages);
        assert.equal((await receiver.frontier.counts()).known, 1);
      }),
    );
  });

  describe(`CrawlState: ${engine.name}: nodes`, () => {
    const report = {
      ...{ weight: 1, pages: 3, bytes: 4, pagesPerSecond: 0, queued: 0, inFlight: 0, takeovers: 0, lost: 0 },
    };
    /** Cases of engines that know who takes part. */
    const testNodes = (name: string, body: (a: Nodes, b: Nodes, both: Both) => Promise<void>) =>
      test(name, { skip: engine.knowsNodes ? false : 'the engine does not know who takes part' }, () =>
        withState(async (shared, clock) => {
          const [a, b] = [await open(shared, 'a', clock), await open(shared, 'b', clock)];
          assert.ok(a.nodes !== undefined && b.nodes !== undefined);
          await body(a.nodes, b.nodes, { a, b, clock });
        }),
      );

    testNodes('who beats is seen by all, and counts as gone when it is silent for a lease', async (a, b, { clock }) => {
      await a.beat(report, true);
      clock.advance(LEASE / 2);
      const seen = await b.beat({ ...report, weight: 2 }, true);
      assert.deepEqual(
        seen.nodes.map(({ name, isAlive, weight, lagMs }) => [name, isAlive, weight, lagMs]),
        [
          ['a', true, 1, LEASE / 2],
          ['b', true, 2, 0],
        ],
      );
      clock.advance(LEASE / 2);
      const alive = (await b.view()).nodes.map(({ isAlive }) => isAlive);
      assert.deepEqual(alive, [false, true]);
      await b.leave();
      await a.tell({ ...report, pages: 5 });
      assert.deepEqual(
        (await b.view()).nodes.map(({ isAlive, pages }) => [isAlive, pages]),
        [
          [true, 5],
          [false, 3],
        ],
      );
      const after = (await a.beat(report)).nodes;
      assert.deepEqual(
        after.map(({ isAlive, pages }) => [isAlive, pages]),
        [
          [true, 3],
          [false, 3],
        ],
      );
    });

    testNodes('a node is asked to hand over until it is started again', async (a, b) => {
      await a.beat(report, true);
      assert.equal(await b.drain('nobody'), false);
      assert.equal(await b.drain('a'), true);
      await a.tell(report);
      assert.equal((await a.beat(report)).nodes[0].isDraining, true);
      assert.equal((await a.beat(report, true)).nodes[0].isDraining, false);
    });

    testNodes(
      'an idle node is known by what it holds, epochs and commits: one more and it is not',
      async (a, b, both) => {
        const [first] = await ownAll(both.a);
        const idle = async (): Promise<boolean> => {
          const { nodes, partitions, isStill } = await b.view();
          const held = partitions
            .filter(({ node }) => node === 'a')
            .map(({ partition, epoch, commits }) => ({ partition, epoch, commits }));
          return isStill && nodes.find(({ name }) => name === 'a')?.idleState === JSON.stringify(held);
        };
        await a.beat(report, true);
        assert.equal(await idle(), false);
        const byNumber = a.held.toSorted((one, other) => one.partition - other.partition);
        await a.beat({ ...report, idleState: JSON.stringify(byNumber) });
        assert.equal(await idle(), true);
        await first.frontier.add([task(`http://${hostIn(both.a, first.lease.partition)}/`)]);
        assert.equal(await idle(), false);
      },
    );

    testNodes('owners are shown, and those whose lease has run out', async (_, b, both) => {
      const [lease] = await both.a.partitions.acquire(1, [2]);
      const shown = async () => (await b.view()).partitions.map(({ node, hasLapsed }) => [node, hasLapsed]);
      const nobody = [undefined, false];
      assert.deepEqual(await shown(), [nobody, nobody, ['a', false], nobody]);
      both.clock.advance(LEASE);
      assert.deepEqual(await shown(), [nobody, nobody, ['a', true], nobody]);
      await both.a.partitions.release([lease]);
      assert.deepEqual(await shown(), [nobody, nobody, nobody, nobody]);
    });
  });

  describe(`CrawlState: ${engine.name}: notes`, () => {
    test('a note is written by whoever has seen what it replaces', () =>
      withState(async (shared, clock) => {
        const { notes } = await open(shared, 'a', clock);
        assert.equal(await notes.read('crawl', 'run'), undefined);
        assert.equal(await notes.write('crawl', 'run', { pages: 1 }, 1), false, 'there is nothing to replace');
        assert.equal(await notes.write('crawl', 'run', { pages: 1 }, 0), true);
        assert.equal(await notes.write('crawl', 'run', { pages: 2 }, 0), false, 'it is there by now');
        assert.deepEqual(await notes.read('crawl', 'run'), { value: { pages: 1 }, version: 1 });
        assert.equal(await notes.write('crawl', 'run', { pages: 2 }, 1), true);
        assert.equal(await notes.write('crawl', 'run', { pages: 3 }, 1), false);
        assert.deepEqual(await notes.read('crawl', 'run'), { value: { pages: 2 }, version: 2 });
      }));

    test('scopes and names are apart, and notes outlive a kill', () =>
      withState(async (shared, clock) => {
        const { notes } = await open(shared, 'a', clock);
        const pairs = [
          ['a', 'b'],
          ['a/b', ''],
          ['', 'a/b'],
          ['a","b', 'c'],
          ['a', 'b","c'],
        ] as const;
        for (const [at, [scope, name]] of pairs.entries()) assert.ok(await notes.write(scope, name, at, 0));
        await shared.kill('a');
        const again = (await open(shared, 'a', clock)).notes;
        for (const [at, [scope, name]] of pairs.entries())
          assert.deepEqual(await again.read(scope, name), { value: at, version: 1 });
      }));

    testShared('of two writers one wins, and the other knows', () =>
      withState(async (shared, clock) => {
        const [a, b] = [await open(shared, 'a', clock), await open(shared, 'b', clock)];
        assert.ok(await a.notes.write('quota', 'pages', 100, 0));
        const [ofA, ofB] = [await a.notes.read<number>('quota', 'pages'), await b.notes.read<number>('quota', 'pages')];
        assert.ok(ofA !== undefined && ofB !== undefined);
        const written = [
          await a.notes.write('quota', 'pages', ofA.value - 10, ofA.version),
          await b.notes.write('quota', 'pages', ofB.value - 10, ofB.version),
        ];
        assert.deepEqual(written, [true, false]);
        assert.deepEqual(await b.notes.read('quota', 'pages'), { value: 90, version: 2 });
      }),
    );
  });
}
