import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import type { FetchResult } from '../../../../src/contracts/fetcher.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { PageNetworks } from '../../../../src/crawl/rendering/page-networks.ts';
import { SubResourceRobots } from '../../../../src/crawl/rendering/sub-resource-robots.ts';
import { listening } from '../../fetch/loopback.ts';

const PUBLIC = { url: 'http://public.test/' as CanonicalUrl, isPrivate: false };
const INSIDE = { url: 'http://inside.test/' as CanonicalUrl, isPrivate: true };

test('a page of the internet reaches nothing of this network but hosts of seeds', async () => {
  const asked: string[] = [];
  const open = () =>
    createServer((request, response) => {
      asked.push(`${request.headers.host}${request.url}`);
      response.end('x');
    });
  await using router = await listening(open());
  await using seed = await listening(open());
  const device = `http://127.0.0.1:${router.port}/admin` as CanonicalUrl;
  const named = `http://seed.test:${seed.port}/x` as CanonicalUrl;
  for (const flags of [{ allowPrivate: true }, { allowHosts: ['127.0.0.0/8', '::1/128'] }]) {
    asked.length = 0;
    const { settings } = resolveSettings({
      flags: { ...flags, hosts: { 'seed.test': '127.0.0.1' } },
      env: {},
      file: {},
    });
    await using networks = new PageNetworks({
      ...{ settings, version: '0', clock: systemClock, pages: { robots: async () => undefined } },
      seeds: () => [`http://seed.test:${seed.port}/`, 'file:///tmp/'],
    });
    const refused = await networks.fetcherFor(PUBLIC).fetch({ url: device });
    assert.ok(refused.kind === 'refused' && refused.by === 'address', refused.kind);
    // Not even its robots.txt is asked for.
    assert.equal(await networks.robotsFor(PUBLIC).allows(device), false);
    assert.deepEqual(asked, []);
    assert.equal((await networks.fetcherFor(PUBLIC).fetch({ url: named })).kind, 'response');
    assert.equal((await networks.fetcherFor(INSIDE).fetch({ url: device })).kind, 'response');
    assert.equal(asked.length, 2);
    // A connection that stands is no way round.
    assert.equal((await networks.fetcherFor(PUBLIC).fetch({ url: device })).kind, 'refused');
  }
});

test('where a page came from is told by its address; behind a proxy, by an address in its URL', async () => {
  for (const [proxy, url, address, isPrivate] of [
    ['', 'http://a.test/', '10.0.0.7', true],
    ['', 'http://a.test/', '93.184.216.34', false],
    ['', 'http://a.test/', '', false],
    ['http://127.0.0.1:3128', 'http://a.test/', '127.0.0.1', false],
    ['http://127.0.0.1:3128', 'http://[::1]/', '127.0.0.1', true],
    ['http://127.0.0.1:3128', 'http://192.168.0.1/', '127.0.0.1', true],
  ] as const) {
    const { settings } = resolveSettings({ flags: { allowPrivate: true, proxy }, env: {}, file: {} });
    await using networks = new PageNetworks({
      ...{ settings, version: '0', clock: systemClock, pages: { robots: async () => undefined }, seeds: () => [] },
    });
    assert.equal(networks.isPrivate({ url: url as CanonicalUrl, address }), isPrivate, `${proxy} ${url} ${address}`);
  }
});

test('a robots.txt that failed once is asked for again', async () => {
  let tries = 0;
  const fetcher = {
    async fetch(): Promise<FetchResult> {
      if (++tries === 1) throw new Error('no more files may be opened');
      return { kind: 'failed', code: 'connect-refused', detail: '', bytes: 0 };
    },
  };
  const robots = new SubResourceRobots(fetcher, { robots: async () => undefined }, systemClock, {
    ...{ agent: 'x', maxAgeMs: 60_000 },
  });
  const url = 'http://a.test/x.js' as CanonicalUrl;
  await assert.rejects(robots.allows(url), /no more files/);
  assert.equal(await robots.allows(url), false);
  assert.equal(tries, 2);
});
