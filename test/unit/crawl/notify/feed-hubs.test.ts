import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { FeedHubs, type FeedHubsSnapshot } from '../../../../src/crawl/notify/feed-hubs.ts';
import { discoverHub, type HubDiscovery } from '../../../../src/crawl/notify/hub-discovery.ts';
import { rememberDomains } from '../../../../src/url/domain-of-host.ts';

const FEED = 'https://blog.site.com/feed' as CanonicalUrl;

test('hubs are found in Link fields and in the feed, the fields first', () => {
  const said = { hubs: ['https://hub.two/'], self: 'https://site.com/said' };
  assert.deepEqual(discoverHub(['<https://hub.one/>; rel="hub", <https://site.com/feed>; rel=self'], said, FEED), {
    hubs: ['https://hub.one/', 'https://hub.two/'],
    self: 'https://site.com/feed',
  });
  assert.deepEqual(discoverHub([], said, FEED), { hubs: ['https://hub.two/'], self: 'https://site.com/said' });
  assert.deepEqual(discoverHub(['</hub>; title="a, b; rel=self"; rel="next hub"'], undefined, FEED), {
    hubs: ['https://blog.site.com/hub'],
    self: FEED,
  });
  for (const header of ['', '<x>; rel=next', '<https://hub/>', 'hub', '<<<hub>>>;rel', `<${'a'.repeat(9000)}>;rel=hub`])
    assert.equal(discoverHub([header], undefined, FEED), undefined, header.slice(0, 40));
});

function hubsOf(kept?: FeedHubsSnapshot) {
  const clock = new VirtualClock(1_800_000_000_000);
  const subscribed: HubDiscovery[] = [];
  const written: FeedHubsSnapshot[] = [];
  const held: { topic: string; state: string; until?: number }[] = [];
  const hubs = new FeedHubs({
    subscribe: async (discovery) => {
      subscribed.push(discovery);
      return { kind: 'asking', id: 'x' };
    },
    held: () => held,
    domainOf: rememberDomains(),
    clock,
    ...(kept === undefined ? {} : { kept }),
    write: (feeds) => written.push(feeds),
  });
  return { hubs, clock, subscribed, written, held };
}

test('a feed is wanted under the name it gives itself, if that is where it was read', async () => {
  const { hubs, subscribed, written } = hubsOf();
  const own = 'http://blog.site.com/feed#top';
  await hubs.discovered(FEED, { hubs: ['https://hub.test/'], self: own });
  await hubs.discovered(FEED, { hubs: ['https://hub.test/'], self: 'https://victim.com/feed' });
  await hubs.discovered(FEED, { hubs: ['https://hub.test/'], self: 'no address' });
  assert.deepEqual(subscribed, [{ hubs: ['https://hub.test/'], self: own }]);
  assert.equal(hubs.feedOf(own)?.url, FEED);
  const again = hubsOf(written[0]);
  assert.equal(again.hubs.feedOf(own)?.url, FEED, 'kept');
});

test('another document of a site cannot name the hub of its feed', async () => {
  const topic = 'https://site.com/news.xml' as CanonicalUrl;
  const mallory = 'https://site.com/~mallory/feed.xml' as CanonicalUrl;
  const { hubs, subscribed, held, clock } = hubsOf([[topic, mallory]]);
  assert.equal(hubs.feedOf(topic)?.url, topic, 'nor has it before');
  await hubs.discovered(mallory, { hubs: ['https://evil.test/'], self: topic });
  assert.deepEqual(subscribed, []);
  await hubs.discovered(topic, { hubs: ['https://true.test/'], self: topic });
  assert.deepEqual(subscribed, [{ hubs: ['https://true.test/'], self: topic }]);
  assert.equal(hubs.feedOf(topic)?.url, topic);
  held.push({ topic, state: 'active', until: clock.now() + 3_600_000 });
  assert.equal(hubs.pushedUntil(mallory), held[0].until, 'the same feed, as it says itself');
});

test('one domain cannot want too much', async () => {
  const { hubs, subscribed } = hubsOf();
  for (let feed = 0; feed < 200; feed++) {
    const url = `https://f${feed}.site.com/` as CanonicalUrl;
    await hubs.discovered(url, { hubs: ['https://hub.test/'], self: url });
  }
  assert.equal(subscribed.length, 50);
});

test('as long as a hub tells of its news, a feed is known to be pushed', async () => {
  const { hubs, held, clock } = hubsOf([[FEED, FEED]]);
  assert.equal(hubs.pushedUntil(FEED), undefined);
  held.push({ topic: FEED, state: 'active', until: clock.now() + 3_600_000 });
  assert.equal(hubs.pushedUntil(FEED), undefined, 'looked at once a minute');
  await clock.advance(60_000);
  assert.equal(hubs.pushedUntil(FEED), held[0].until);
  await clock.advance(3_600_000);
  assert.equal(hubs.pushedUntil(FEED), undefined, 'the lease has ended');
});
