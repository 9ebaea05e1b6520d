import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ForeignCapture } from '../../../src/contracts/foreign-capture.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { openCaptures, openCapturesReader } from '../../../src/engines/open-captures.ts';

const URL_A = 'https://a.example/' as CanonicalUrl;

function capture(url: string, date: number, more: Partial<ForeignCapture> = {}): ForeignCapture {
  const place = { path: '/x.warc', offset: date, length: 1 };
  return { url: url as CanonicalUrl, date, kind: 'response', status: 200, ...place, ...more };
}

test('captures are found by URL and date, each once, and by the digest that a revisit names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-captures-'));
  const file = { path: '/x.warc', bytes: 1, modifiedAt: 2 };
  try {
    {
      using captures = openCaptures(folder);
      const number = captures.begin(file) ?? -1;
      assert.equal(captures.add(number, capture(URL_A, 10, { kind: 'conversion' })), 'added');
      assert.equal(captures.add(number, capture(URL_A, 10, { digest: 'SHA1:A' })), 'added');
      assert.equal(captures.add(number, capture(URL_A, 10)), 'repeated');
      assert.equal(captures.add(number, capture(URL_A, 11, { kind: 'conversion' })), 'superfluous');
      captures.add(number, capture(URL_A, 5000, { kind: 'revisit', refersTo: { url: URL_A, date: 400 } }));
      for (let at = 0; at < 2500; at++) captures.add(number, capture(`https://many.example/${at}`, 1));
      captures.end(number, { counts: { records: 3 }, refused: [] });
      assert.equal(captures.begin(file), undefined);
      const urls = [...captures.urls()].flat();
      assert.equal(urls.length, 2501);
      assert.equal(new Set(urls).size, 2501);
    }
    using reader = openCapturesReader(folder);
    assert.equal(reader.next(URL_A, -1)?.kind, 'response');
    assert.equal(reader.next(URL_A, 10)?.date, 5000);
    assert.equal(reader.next(URL_A, 5000), undefined);
    // Dates of referrals may be rounded; digests find what the URL does not.
    assert.equal(reader.original(reader.next(URL_A, 10)?.refersTo ?? {})?.date, 10);
    assert.equal(reader.original({ url: 'https://b.example/' as CanonicalUrl, digest: 'SHA1:A' })?.url, URL_A);
    assert.equal(reader.original({ url: 'https://b.example/' as CanonicalUrl }), undefined);
    {
      // A file that has changed is looked through anew; one that was cut off, too.
      using captures = openCaptures(folder);
      const number = captures.begin({ ...file, bytes: 2 }) ?? -1;
      assert.equal(captures.size, 0);
      captures.add(number, capture(URL_A, 10));
    }
    using again = openCaptures(folder);
    assert.notEqual(again.begin({ ...file, bytes: 2 }), undefined);
    assert.equal(again.size, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
