import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { surtOf } from '../../../src/url/surt.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';
import { corpus, skipWithout } from '../../corpora.ts';

const cases: Readonly<Record<string, string>> = {
  'http://example.com/': 'com,example)/',
  'https://www.example.com/A/B.html': 'com,example)/a/b.html',
  'http://www12.example.co.uk:8080/a/': 'uk,co,example:8080)/a',
  'http://www/': 'www)/',
  'http://a.com/?': 'com,a)/',
  'http://a.com/?b=2&a-b=1&a=2&a=1&a': 'com,a)/?a&a=1&a=2&a-b=1&b=2',
  'http://10.1.2.3:81/x': '10.1.2.3:81)/x',
  'http://[::1]:81/x': '[::1]:81)/x',
  'http://a.com/%28%C3%89%29%20%23%2541': 'com,a)/(%c3%89)%20%23a',
  'http://a.com/%25%32%35%34%31': 'com,a)/a',
  'http://xn--bcher-kva.de/x': 'de,xn--bcher-kva)/x',
};

test('keys of CDXJ files', () => {
  for (const [input, key] of Object.entries(cases)) {
    assert.equal(surtOf(normalizeUrl(input, defaultUrlOptions)!), key, input);
  }
});

test('the http cases of other archives', { skip: skipWithout('url') }, () => {
  const rows: { mode: string; in: string; out: string }[] = readFileSync(
    join(corpus('url')!, 'normalize.jsonl'),
    'utf8',
  )
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const surts = rows.filter((row) => row.mode === 'defaultIASurt' && row.in.startsWith('http:'));
  assert.equal(surts.length, 8);
  // The key alone is judged here: our own tidying of queries comes before it.
  const options = { ...defaultUrlOptions, tidyQuery: false };
  for (const row of surts) assert.equal(surtOf(normalizeUrl(row.in, options)!), row.out, row.in);
});
