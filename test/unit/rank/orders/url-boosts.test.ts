import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UrlBoosts } from '../../../../src/rank/orders/url-boosts.ts';

const covers = (pattern: string, url: string): boolean => new UrlBoosts([{ pattern, boost: 1 }]).of(url) === 1;

test('patterns: a beginning of host and path, a path, or a whole URL', () => {
  assert.ok(covers('example.org/news', 'https://example.org/news/1'));
  assert.ok(!covers('example.org/news', 'https://www.example.org/news/1'));
  assert.ok(covers('/news/', 'https://www.example.org/news/1'));
  assert.ok(!covers('/news/', 'https://www.example.org/old/news/1'));
  assert.ok(covers('*/news/*', 'https://www.example.org/old/news/1'));
  assert.ok(covers('https://*.pdf', 'https://example.org/a.pdf'));
  assert.ok(!covers('https://*.pdf', 'https://example.org/a.pdf?x'));
  assert.ok(!covers('/a*a', 'https://example.org/a'));
});

test('all that match are added up', () => {
  const boosts = new UrlBoosts([
    { pattern: '/a', boost: 2 },
    { pattern: '*b', boost: -5 },
  ]);
  assert.equal(boosts.of('http://h.example/ab'), -3);
  assert.equal(boosts.of('http://h.example/c'), 0);
});
