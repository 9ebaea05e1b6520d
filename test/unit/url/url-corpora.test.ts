import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { canonicalForm } from '../../../src/url/canonical-form.ts';
import { scanAbsolute, scanRules } from '../../../src/url/canonical-scan.ts';
import { explainUrl } from '../../../src/url/explain-url.ts';
import { hostnameOf } from '../../../src/url/host-key.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { otherAddress } from '../../../src/url/other-address.ts';
import { defaultUrlOptions, typedUrlOptions } from '../../../src/url/url-options.ts';
import { corpus, skipWithout } from '../../corpora.ts';

const skip = skipWithout('url');
const plain = { ...defaultUrlOptions, duplicateSlashes: 'keep', sortQuery: false, tidyQuery: false } as const;

function read(name: string): string {
  return readFileSync(join(corpus('url')!, name), 'utf8');
}

function lines<T>(text: string): T[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('normalize.jsonl, policy crawler-commons', { skip }, () => {
  interface Case {
    readonly mode: string;
    readonly in: string;
    readonly out: string | null;
  }
  const cases = skip ? [] : lines<Case>(read('normalize.jsonl')).filter((row) => row.mode === 'crawler-commons');

  test('every case, as `inspect url` answers it', () => {
    assert.equal(cases.length, 134);
    for (const row of cases) {
      const explained = explainUrl(row.in, typedUrlOptions);
      const answer = explained.ok ? explained.url : (otherAddress(row.in) ?? null);
      assert.equal(answer, row.out, row.in);
    }
  });

  test('what is no web address is shown, but refused', () => {
    const others = cases.filter(({ out }) => out !== null && !/^https?:\/\/[^/]/.test(out));
    assert.equal(others.length, 8);
    for (const row of others) {
      const reason = row.in.startsWith('http:') ? 'host' : 'scheme';
      assert.deepEqual(explainUrl(row.in, typedUrlOptions), { ok: false, reason }, row.in);
    }
  });
});

test('resolve.jsonl: all that lead to the web', { skip }, () => {
  const cases = lines<{ in: string; base: string | null; out: string }>(read('resolve.jsonl'));
  assert.equal(cases.length, 63);
  // The data set keeps fragments, credentials and the spelling of escapes: both sides are compared in canonical form.
  const elsewhere = cases.filter((row) => !/^https?:/.test(row.out));
  assert.deepEqual(
    elsewhere.map((row) => row.out),
    ['file://server/file', 'g:h'],
  );
  for (const row of cases) {
    const got = normalizeUrl(row.in, defaultUrlOptions, row.base ?? undefined);
    assert.equal(got, normalizeUrl(row.out, defaultUrlOptions), `${row.in} on ${row.base}`);
    assert.equal(got === undefined, elsewhere.includes(row));
  }
});

test('wpt-urltestdata.json: no worse than the platform', { skip }, () => {
  interface Case {
    readonly input: string;
    readonly base: string | null;
    readonly href?: string;
    readonly failure?: boolean;
  }
  const cases: (Case | string)[] = JSON.parse(read('wpt-urltestdata.json'));
  const count = { platform: 0, ours: 0, of: 0 };
  for (const row of cases) {
    if (typeof row === 'string') continue;
    const base = row.base ?? undefined;
    const platform = URL.parse(row.input, base);
    for (const options of [defaultUrlOptions, plain]) {
      const ours = normalizeUrl(row.input, options, base);
      count.of++;
      if (row.failure || !/^https?:/.test(row.href!)) {
        if (row.failure ? platform === null : platform?.href === row.href) count.platform++;
        if (ours === undefined) count.ours++;
      } else {
        if (platform?.href === row.href) count.platform++;
        if (ours !== undefined && ours === normalizeUrl(row.href!, options)) count.ours++;
      }
    }
  }
  assert.equal(count.of, 2 * 891);
  assert.ok(count.ours >= count.platform, JSON.stringify(count));
  assert.equal(count.ours, count.of);
});

test('wpt-toascii.json: every host name', { skip }, () => {
  const cases: ({ input: string; output: string | null } | string)[] = JSON.parse(read('wpt-toascii.json'));
  let count = 0;
  for (const row of cases) {
    if (typeof row === 'string') continue;
    count++;
    const url = normalizeUrl(`https://${row.input}/x`, defaultUrlOptions);
    assert.equal(url === undefined ? null : hostnameOf(url), row.output, row.input);
  }
  assert.equal(count, 87);
});

test('wpt-percent-encoding.json: queries in UTF-8', { skip }, () => {
  const cases: ({ input: string; output: { 'utf-8': string } } | string)[] = JSON.parse(
    read('wpt-percent-encoding.json'),
  );
  for (const row of cases) {
    if (typeof row === 'string') continue;
    // What the standard leaves as it is but RFC 3986 does not allow, we escape on both sides.
    const expected = normalizeUrl(`http://a.com/?${row.output['utf-8']}`, defaultUrlOptions);
    assert.equal(normalizeUrl(`http://a.com/?${row.input}`, defaultUrlOptions), expected, row.input);
  }
});

test('the links of real pages: both ways agree, and few need a parser', { skip: skipWithout('html') }, () => {
  const rules = scanRules(defaultUrlOptions);
  let links = 0;
  let scanned = 0;
  for (const name of ['art-A', 'traf-A']) {
    const file = join(corpus('html')!, 'chromium', `${name}.jsonl.gz`);
    for (const page of lines<{ links: [string][] }>(gunzipSync(readFileSync(file)).toString())) {
      for (const [href] of page.links) {
        const url = normalizeUrl(href, defaultUrlOptions);
        assert.equal(url, canonicalForm(href, defaultUrlOptions));
        if (url === undefined) continue;
        assert.equal(normalizeUrl(url, defaultUrlOptions), url);
        links++;
        if (scanAbsolute(href, rules) !== -1) scanned++;
      }
    }
  }
  assert.ok(links > 34_000);
  assert.ok(scanned / links > 0.95, `${scanned} of ${links}`);
});
