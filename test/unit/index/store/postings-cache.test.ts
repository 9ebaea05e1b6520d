import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TermPostings } from '../../../../src/index/format/term-postings.ts';
import { PostingsCache } from '../../../../src/index/store/postings-cache.ts';

/** The cache looks at nothing of what it holds. */
function held(name: string): TermPostings {
  return { name } as unknown as TermPostings;
}

test('what is asked for again and again stays, whatever else comes and goes', () => {
  const cache = new PostingsCache(100);
  const wanted = held('wanted');
  cache.set('1:wanted', wanted, 10);
  for (let n = 0; n < 200; n++) {
    cache.set(`1:other${n}`, held(`other${n}`), 10);
    assert.equal(cache.get('1:wanted'), wanted);
  }
  assert.equal(cache.get('1:other0'), undefined);
});

test('it holds no more bytes than it may, and forgets a segment that is closed', () => {
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom('set', 'get', 'enlarge', 'forget'),
      key: fc.nat(12).map((n) => `${n % 3}:${n}`),
      bytes: fc.nat(80),
    }),
  );
  fc.assert(
    fc.property(steps, (all) => {
      const cache = new PostingsCache(100);
      const put = new Map<string, { readonly postings: TermPostings; bytes: number }>();
      for (const { kind, key, bytes } of all) {
        if (kind === 'set' && cache.get(key) === undefined) {
          const postings = held(key);
          cache.set(key, postings, bytes);
          put.set(key, { postings, bytes });
        } else if (kind === 'enlarge' && cache.get(key) !== undefined) {
          cache.enlarge(key, bytes);
          const entry = put.get(key);
          if (entry !== undefined) entry.bytes += bytes;
        } else if (kind === 'forget') {
          const prefix = key.slice(0, 2);
          cache.forget(prefix);
          for (const known of put.keys()) if (known.startsWith(prefix)) assert.equal(cache.get(known), undefined);
        }
      }
      let sum = 0;
      for (const [key, { postings, bytes }] of put) {
        const found = cache.get(key);
        if (found === undefined) continue;
        assert.equal(found, postings);
        sum += bytes;
      }
      assert.ok(sum <= 100, `${sum} bytes`);
    }),
  );
});
