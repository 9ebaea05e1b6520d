import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { PageReader } from '../../../../src/contracts/state/state-reader.ts';
import type { HostKey } from '../../../../src/contracts/url.ts';
import { NodeFrontier } from '../../../../src/crawl/nodes/node-frontier.ts';
import { NodePages } from '../../../../src/crawl/nodes/node-pages.ts';
import { NodePartitions } from '../../../../src/crawl/nodes/node-partitions.ts';
import { frontierOptionsOf } from '../../../../src/crawl/settings-to-parts.ts';
import { LocalPartitions } from '../../../../src/engines/sqlite/local-partitions.ts';
import { facts } from '../../../conformance/frontier-revisits.ts';
import { settled, task } from '../../../conformance/opened-frontier.ts';

const COUNT = 8;

test('a node finds the original of a page in whichever of its partitions it is, and asks no other', async () => {
  const clock = new VirtualClock();
  const { settings } = resolveSettings({ flags: {}, env: {}, file: {} });
  const options = { ...frontierOptionsOf(settings, clock.now()), addressFirst: false, byAddress: false };
  const spread = { by: 'site', count: COUNT, byDomain: false } as const;
  using local = new LocalPartitions({ spread, clock, random: () => 0.5, options });
  const partitions = new NodePartitions(local, () => {});
  const asked: number[] = [];
  for (const [number, partition] of local.all.entries()) {
    const byDigest: PageReader['byDigest'] = (digest) => {
      asked.push(number);
      return partition.pages.byDigest(digest);
    };
    partitions.attach(overriding(partition, { pages: overriding(partition.pages, { byDigest }) }));
  }
  const node = new NodePages(partitions);
  const keepLearnt = async (): Promise<void> => {};
  const frontier = new NodeFrontier({
    ...{ partitions, now: () => clock.now(), check: () => {}, keepLearnt, popularLinks: 10 },
  });
  for (const number of local.all.keys()) {
    await frontier.add([task(`http://${hostOf(local, number)}/`)]);
    const [claim] = await frontier.claim(1);
    await frontier.settle([settled(claim, clock, { page: facts(`digest of ${number}`) })]);
  }
  const original = async (of: NodePages, digest: string) => (await of.byDigest(digest))?.url;
  assert.equal(await original(node, 'digest of 5'), `http://${hostOf(local, 5)}/`);
  assert.equal(await node.byDigest('digest of none'), undefined);
  assert.deepEqual(asked, [5]);
  const later = new NodePartitions(local, () => {});
  for (const partition of local.all) later.attach(partition);
  assert.equal(await original(new NodePages(later), 'digest of 3'), `http://${hostOf(local, 3)}/`, 'it had it before');
  later.detach(later.all[3]);
  assert.equal(await original(new NodePages(later), 'digest of 3'), undefined);
});

function overriding<T extends object>(of: T, own: Partial<T>): T {
  const get = (_: T, name: string | symbol): unknown => {
    if (Object.hasOwn(own, name)) return Reflect.get(own, name);
    const value = Reflect.get(of, name);
    return typeof value === 'function' ? value.bind(of) : value;
  };
  return new Proxy(of, { get });
}

function hostOf(local: LocalPartitions, partition: number): string {
  for (let n = 0; ; n++) if (local.partitionOf(`h${n}.test` as HostKey) === partition) return `h${n}.test`;
}
