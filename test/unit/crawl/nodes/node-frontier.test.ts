import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { OwnedPartition } from '../../../../src/contracts/state/owned-partition.ts';
import type { HostKey } from '../../../../src/contracts/url.ts';
import { NodeFrontier } from '../../../../src/crawl/nodes/node-frontier.ts';
import { NodePartitions } from '../../../../src/crawl/nodes/node-partitions.ts';
import { modelEngine } from '../../../conformance/model/model-engine.ts';
import { DELAY, options, settled, task } from '../../../conformance/opened-frontier.ts';
import type { StateUnderTest } from '../../../conformance/opened-state.ts';

const LEASE = 30_000;

/** A node with all partitions, a host in each, and another node that has none yet. */
async function twoNodes() {
  const clock = new VirtualClock();
  const shared = await modelEngine.create(clock, { partitions: 4, leaseMs: LEASE });
  const [a, b] = [await shared.node('a', clock, options), await shared.node('b', clock, options)];
  const partitions = new NodePartitions(a.partitions, () => {});
  const attach = async (of: StateUnderTest, to: NodePartitions, among: number[]): Promise<void> => {
    for (const lease of await of.partitions.acquire(9, among))
      to.attach((await of.open(lease)) as unknown as OwnedPartition);
  };
  await attach(a, partitions, [0, 1, 2, 3]);
  const frontierOf = (attached: NodePartitions, follows?: (partition: number) => boolean): NodeFrontier =>
    new NodeFrontier({
      ...{ partitions: attached, now: () => clock.now(), check: () => {}, keepLearnt: async () => {} },
      popularLinks: 1000,
      ...(follows === undefined ? {} : { follows }),
    });
  const hosts = [0, 1, 2, 3].map((partition) => {
    for (let n = 0; ; n++) if (a.partitions.partitionOf(`h${n}.test` as HostKey) === partition) return `h${n}.test`;
  });
  return { clock, a, b, partitions, frontier: frontierOf(partitions), frontierOf, attach, hosts };
}

describe('the frontier of a node', () => {
  test('claims come from all partitions under numbers of their own, and are settled where they belong', async () => {
    const { frontier, hosts, clock, partitions } = await twoNodes();
    const added = await frontier.add(hosts.map((host) => task(`http://${host}/`)));
    assert.deepEqual(added, ['added', 'added', 'added', 'added']);
    const claims = await frontier.claim(10);
    assert.equal(new Set(claims.map(({ id }) => id)).size, 4);
    assert.deepEqual(claims.map(({ task: { host } }) => host).sort(), [...hosts].sort());
    const verdicts = await frontier.settle(claims.map((claim) => settled(claim, clock)));
    assert.deepEqual(verdicts, ['applied', 'applied', 'applied', 'applied']);
    assert.ok(partitions.all.every(({ underWay }) => underWay === 0));
    assert.deepEqual(await frontier.settle(claims.map((claim) => settled(claim, clock))), Array(4).fill('expired'));
  });

  test('no more is claimed of all partitions together than was asked for', async () => {
    const { frontier } = await twoNodes();
    // Several in each partition, so that each could give more than its share.
    await frontier.add(Array.from({ length: 40 }, (_, n) => task(`http://more${n}.test/`)));
    for (const max of [1, 2, 3, 5]) assert.equal((await frontier.claim(max)).length, max);
  });

  test('a partition that is lost takes its claims along; the others go on', async () => {
    const { frontier, hosts, clock, a, b, partitions } = await twoNodes();
    await frontier.add(hosts.flatMap((host) => [1, 2].map((n) => task(`http://${host}/${n}`))));
    const claims = await frontier.claim(10);
    clock.advance(LEASE - 1);
    await a.partitions.renew(partitions.all.slice(1).map(({ partition }) => partition.lease));
    clock.advance(2);
    const [taken] = await b.partitions.acquire(9);
    assert.equal(taken.partition, 0);
    const verdicts = await frontier.settle(claims.map((claim) => settled(claim, clock)));
    const expected = claims.map(({ task: { host } }) => (host === hosts[0] ? 'expired' : 'applied'));
    assert.deepEqual(verdicts, expected);
    assert.equal(partitions.losses, 1);
    clock.advance(DELAY);
    const next = await frontier.claim(10);
    assert.deepEqual(next.map(({ task: { host } }) => host).sort(), hosts.slice(1).sort());
    assert.equal((await (await b.open(taken)).pages.page(claims[0].task.url))?.outcome, undefined);
  });

  test('links are asked of their own partition, sent once, and again after a loss', async () => {
    const { frontier, hosts, clock, a, b, partitions } = await twoNodes();
    const [own, other] = hosts;
    await frontier.add([task(`http://${own}/`), task(`http://${other}/known`)]);
    const links = [task(`http://${own}/1`), task(`http://${other}/known`), task(`http://${other}/new`)];
    const keys = {
      fingerprints: BigUint64Array.from(links, ({ url }) => fingerprint(url)),
      host: (place: number) => links[place].host,
    };
    assert.deepEqual(await frontier.unknown([keys]), [{ unknown: [0, 2], foreign: [] }]);
    const [claim] = (await frontier.claim(10)).filter(({ task: { host } }) => host === own);
    await frontier.settle([settled(claim, clock, { links: [links[0], links[2]] })]);
    assert.deepEqual(await frontier.unknown([keys]), [{ unknown: [], foreign: [] }], 'on its way');
    const leases = partitions.all.map(({ partition }) => partition.lease);
    const messages = await a.exchange.receive(leases, 9);
    assert.deepEqual(await frontier.acceptEach(messages), messages);
    assert.deepEqual(await frontier.unknown([keys]), [{ unknown: [], foreign: [] }]);
    clock.advance(LEASE + 1);
    await b.partitions.acquire(1, [1]);
    assert.deepEqual(await frontier.acceptEach([{ ...messages[0], number: 99 }]), [], 'it is lost');
    assert.deepEqual(await frontier.unknown([keys]), [{ unknown: [], foreign: [1, 2] }], 'nobody knows what was sent');
  });

  test('behind a wall, links to pages of other shares go nowhere, and those of robots.txt still do', async () => {
    const { hosts, clock, a, partitions, frontierOf } = await twoNodes();
    const walled = frontierOf(partitions, (partition) => partition % 2 === 0);
    const [own, beyond, within] = hosts;
    await walled.add([task(`http://${own}/`)]);
    const links = [own, beyond, within].map((host) => task(`http://${host}/1`));
    const keys = {
      fingerprints: BigUint64Array.from(links, ({ url }) => fingerprint(url)),
      host: (place: number) => links[place].host,
    };
    assert.deepEqual(await walled.unknown([keys]), [{ unknown: [0, 2], foreign: [] }]);
    const [claim] = await walled.claim(1);
    // As a redirect brings them, which nobody has judged.
    const robots = task(`http://${beyond}/robots.txt`, { purpose: 'robots' });
    await walled.settle([settled(claim, clock, { links: [...links, robots] })]);
    const leases = partitions.all.map(({ partition }) => partition.lease);
    const sent = (await a.exchange.receive(leases, 9)).flatMap(({ body }) => (body.kind === 'links' ? body.tasks : []));
    assert.deepEqual(sent.map(({ url }) => url).sort(), [robots.url, links[2].url].sort());
  });

  test('a partition that leaves is asked for nothing more', async () => {
    const { frontier, hosts, partitions } = await twoNodes();
    await frontier.add(hosts.map((host) => task(`http://${host}/`)));
    for (const attached of partitions.all) attached.isLeaving = attached.number !== 2;
    assert.deepEqual(
      (await frontier.claim(10)).map(({ task: { host } }) => host),
      [hosts[2]],
    );
  });
});
