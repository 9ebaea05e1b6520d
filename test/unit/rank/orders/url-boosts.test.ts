import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlTask } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { boostOf, sayBoost, UrlBoosts } from '../../../../src/rank/orders/url-boosts.ts';
import { compilePattern } from '../../../../src/scope/url-pattern.ts';

const task = (text: string): CrawlTask => ({
  ...{ url: text as CanonicalUrl, host: 'h.example' as HostKey, depth: 0, redirects: 0, lane: 0 },
  ...{ discovery: { how: 'link' }, purpose: 'page' },
});

test('all that match are added up', () => {
  const boosts = new UrlBoosts([
    { pattern: compilePattern('/a'), boost: 2 },
    { pattern: compilePattern('re:b$'), boost: -5 },
  ]);
  assert.equal(boosts.of(task('http://h.example/ab')), -3);
  assert.equal(boosts.of(task('http://h.example/a')), 2);
  assert.equal(boosts.of(task('http://h.example/c')), 0);
});

test('what plug-ins say counts beside them', () => {
  const boosts = new UrlBoosts([{ pattern: compilePattern('/a'), boost: 2 }], ({ url }) => url.length % 2);
  assert.ok(boosts.any);
  assert.equal(boosts.of(task('http://h.example/a')), 2);
  assert.equal(boosts.of(task('http://h.example/ab')), 3);
});

test('a boost that is no number within bounds is refused', () => {
  for (const boost of [Number.NaN, 101, -101]) {
    assert.throws(() => new UrlBoosts([{ pattern: compilePattern('/a'), boost }]), { code: 'SETTING_INVALID' });
  }
});

test('what is said of a boost is found among other reasons, and nowhere else', () => {
  for (const boost of [1, -100, 0.25]) assert.ok(boostOf(`depth 3, ${sayBoost(boost)}`));
  assert.equal(sayBoost(0), undefined);
  for (const why of [undefined, '', 'path depth 2', 'its links promise 5 % of the topic']) assert.ok(!boostOf(why));
});
