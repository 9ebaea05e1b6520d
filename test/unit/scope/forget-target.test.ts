import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OrbweaverError } from '../../../src/base/errors.ts';
import type { CrawlTask } from '../../../src/contracts/crawl-task.ts';
import { createForgottenRule, matcherOf, parseForgetTarget } from '../../../src/scope/forget-target.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';

describe('What is to be forgotten', () => {
  const matching = (asked: string, ...urls: string[]): string[] =>
    urls.filter(matcherOf(parseForgetTarget(asked, defaultUrlOptions)));

  test('a URL is one page, over http and https alike', () => {
    const urls = ['https://a.test/x', 'http://a.test/x', 'https://a.test/x/y', 'https://b.test/x'];
    assert.deepEqual(matching('https://A.test/x#part', ...urls), urls.slice(0, 2));
    assert.deepEqual(matching('a.test/x', ...urls), urls.slice(0, 2));
  });

  test('a host is that host and port, not its subdomains', () => {
    const urls = ['https://a.test/', 'http://a.test/x', 'http://a.test:81/', 'https://www.a.test/', 'dns:a.test'];
    assert.deepEqual(matching('A.test', ...urls), urls.slice(0, 2));
    assert.deepEqual(matching('a.test:81', ...urls), ['http://a.test:81/']);
  });

  test('stars and re: make patterns', () => {
    assert.deepEqual(matching('*/private/*', 'https://a.test/private/1', 'https://a.test/'), [
      'https://a.test/private/1',
    ]);
    assert.deepEqual(matching('re:\\.test/$', 'https://a.test/private/1', 'https://a.test/'), ['https://a.test/']);
  });

  test('anything else is refused', () => {
    for (const asked of ['', 'a b', 'ftp://a.test/', 're:('])
      assert.throws(() => parseForgetTarget(asked, defaultUrlOptions), OrbweaverError, asked);
  });

  test('the rule refuses until it is taken back, and says since when', () => {
    const entry = {
      ...{ asked: 'a.test', target: parseForgetTarget('a.test', defaultUrlOptions), at: Date.UTC(2026, 10, 16) },
      ...{ pages: 1, records: 5, bytes: 1000 },
    };
    const task = { url: 'https://a.test/' } as CrawlTask;
    assert.deepEqual(createForgottenRule([entry]).judge(task), {
      ...{ admit: false, by: 'scope', rule: "forgotten on 2026-11-16 ('a.test')" },
    });
    assert.equal(createForgottenRule([{ ...entry, allowedAt: 1 }]).judge(task).admit, true);
  });
});
