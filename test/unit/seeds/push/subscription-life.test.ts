import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WebSubSubscription } from '../../../../src/contracts/push.ts';
import type { HubAnswer } from '../../../../src/seeds/push/hub-request.ts';
import {
  heardFromHub,
  sent,
  subscriptionTimes,
  unwilling,
  verifiedSubscription,
} from '../../../../src/seeds/push/subscription-life.ts';

const NOW = 1_800_000_000_000;
const asking: WebSubSubscription = {
  id: 'abcdefghijklmnopqrstuvwx',
  hub: 'https://hub.test/a/',
  topic: 'https://publisher.test/feed',
  secret: 'secret',
  state: 'asking',
  leaseSeconds: 864_000,
  actAt: NOW,
  tries: 0,
  moves: 0,
};

const hears = (answer: HubAnswer, held = sent(asking, NOW, subscriptionTimes)): WebSubSubscription =>
  heardFromHub(held, answer, NOW, subscriptionTimes);
const response = (status: number, more: object = {}): HubAnswer => ({ kind: 'response', status, ...more });

describe('The life of a subscription', () => {
  test('a hub that took the request has an hour to verify it', () => {
    for (const status of [200, 202, 204]) {
      const held = hears(response(status));
      assert.deepEqual([held.state, held.actAt, held.tries], ['asking', NOW + 3_600_000, 1]);
    }
  });

  test('failures are repeated at growing intervals, and in the end given up', () => {
    let held = asking;
    const waits: number[] = [];
    while (held.state === 'asking') {
      held = hears({ kind: 'failed', why: 'connection refused' }, sent(held, NOW, subscriptionTimes));
      waits.push((held.actAt - NOW) / 60_000);
    }
    assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 7 * 24 * 60]);
    assert.deepEqual([held.state, held.why], ['denied', 'connection refused']);
  });

  test('4xx is a no; 429, 408 and 5xx are "later", as late as Retry-After asks', () => {
    assert.equal(hears(response(400, { body: 'no such topic' })).why, 'HTTP 400: no such topic');
    for (const status of [400, 403, 404, 410]) assert.equal(hears(response(status)).state, 'denied');
    for (const status of [408, 429, 500, 503]) assert.equal(hears(response(status)).state, 'asking');
    assert.equal(hears(response(429, { retryAfterMs: 7_200_000 })).actAt, NOW + 7_200_000);
    for (const retryAfterMs of [99_999_999_999_000, Number.POSITIVE_INFINITY])
      assert.equal(hears(response(503, { retryAfterMs })).actAt, NOW + 7 * 86_400_000, 'a week at most');
  });

  test('a hub that moved is asked at its new place, at once, but not for ever', () => {
    const moved = hears(response(307, { location: '../b' }));
    assert.deepEqual([moved.hub, moved.actAt, moved.moves], ['https://hub.test/b', NOW, 1]);
    assert.equal(hears(response(308, { location: 'https://other.test/' })).hub, 'https://other.test/');
    const far = hears(response(307, { location: '/c' }), { ...moved, moves: 5 });
    assert.deepEqual([far.hub, far.actAt > NOW], ['https://hub.test/b', true]);
    for (const location of [undefined, 'http://[', 'ftp://hub.test/']) {
      assert.equal(hears(response(307, { location })).hub, asking.hub);
    }
  });

  test('a secret made for a hub behind TLS is not told in the open', () => {
    assert.equal(hears(response(307, { location: 'http://hub.test/' })).hub, asking.hub);
  });

  test('the renewal lies between three quarters and nine tenths of the lease, within bounds', () => {
    for (let n = 0; n < 100; n++) {
      const held = verifiedSubscription({ ...asking, id: `${asking.id}${n}` }, 1000, NOW, subscriptionTimes);
      assert.equal(held.until, NOW + 1_000_000);
      assert.ok(held.actAt >= NOW + 750_000 && held.actAt <= NOW + 900_000);
    }
    const lease = (seconds: number): number =>
      verifiedSubscription(asking, seconds, NOW, subscriptionTimes).actAt - NOW;
    assert.equal(lease(1), subscriptionTimes.minRenewal);
    assert.equal(lease(9_999_999_999), subscriptionTimes.maxRenewal);
  });

  test('one that was to be left anyway is left when the hub will not', () => {
    assert.equal(unwilling({ ...asking, state: 'leaving' }, 'no', NOW, subscriptionTimes).state, 'left');
    assert.equal(hears(response(404), { ...asking, state: 'leaving', tries: 1 }).state, 'left');
  });

  test('an answer that comes after the end changes nothing', () => {
    const left: WebSubSubscription = { ...asking, state: 'left' };
    assert.equal(hears(response(500), left), left);
  });
});
