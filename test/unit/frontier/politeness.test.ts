import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoff, defaultPoliteness, hostDelay } from '../../../src/frontier/politeness.ts';

test('the delay is the largest of minimum, bounded adaptive part and Crawl-delay', () => {
  const policy = { ...defaultPoliteness, minimumDelayMs: 1000, delayFactor: 5, maxAdaptiveDelayMs: 30_000 };
  assert.equal(hostDelay(policy, 20, 0), 1000);
  assert.equal(hostDelay(policy, 900, 0), 4500);
  assert.equal(hostDelay(policy, 20_000, 0), 30_000);
  assert.equal(hostDelay(policy, 20, 7_200_000), 7_200_000);
});

test('a host rests no shorter than its last fetch took, unless the factor says so', () => {
  assert.equal(hostDelay(defaultPoliteness, 60_000, 0), 60_000);
  assert.equal(hostDelay({ ...defaultPoliteness, delayFactor: 0.5 }, 60_000, 0), 30_000);
  assert.equal(hostDelay({ ...defaultPoliteness, delayFactor: 0 }, 60_000, 0), 1000);
});

test('back-off doubles to a day; Retry-After wins', () => {
  const none = (): number => 0;
  assert.equal(backoff(defaultPoliteness, 1, undefined, none), 60_000);
  assert.equal(backoff(defaultPoliteness, 3, undefined, none), 240_000);
  assert.equal(
    backoff(defaultPoliteness, 200, undefined, () => 0.99),
    86_400_000,
  );
  assert.equal(
    backoff(defaultPoliteness, 1, undefined, () => 0.5),
    63_000,
  );
  assert.equal(backoff(defaultPoliteness, 9, 1500, none), 1500);
});
