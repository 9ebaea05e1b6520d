import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { notedVisit } from '../../../../src/dedupe/soft-not-found/noted-visit.ts';
import { SoftNotFound, type SoftVisit } from '../../../../src/dedupe/soft-not-found/soft-not-found.ts';

const contentSketch = fc.record({
  simhash: fc.constantFrom(0n, 1n, 2n ** 63n + 5n, 2n ** 40n),
  sketch: fc.constantFrom(new Uint8Array(80), new Uint8Array(80).fill(7)),
  shingles: fc.constantFrom(3, 90),
});
const answered = {
  status: fc.constantFrom(200, 200, 200, 204, 404),
  words: fc.constantFrom(0, 5, 59, 60, 61, 149, 150, 151, 3000),
  digest: fc.constantFrom('a', 'b', 'c'),
  contentSketch,
  title: fc.constantFrom('Page not found', 'Not found, and other tales', 'News'),
  opening: fc.constantFrom('Sorry, this page does not exist.', 'Welcome to /a/x.html of the host', ''),
  redirectedTo: fc.constantFrom('http://h.test/', 'http://h.test/error'),
};
const visit: fc.Arbitrary<SoftVisit> = fc
  .tuple(
    fc.constantFrom('/', '/a/x.html', '/a/y.html', '/b/z', '/c'),
    fc.record(answered, { requiredKeys: ['status'] }),
  )
  .map(([path, said]) => ({ host: 'h.test', url: `http://h.test${path}`, ...said }));

test('what is left of a visit teaches the same as all of it', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: visit },
    { weight: 1, arbitrary: fc.record(answered, { requiredKeys: ['status'] }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.array(visit, { maxLength: 10 }), (steps, asked) => {
      const whole = new SoftNotFound({ fewVisits: 3 });
      const part = new SoftNotFound({ fewVisits: 3 });
      for (const one of steps) {
        if ('url' in one) assert.equal(part.wantsProbe(notedVisit(one)), whole.wantsProbe(one));
        else for (const each of [whole, part]) each.learn('h.test', one);
      }
      assert.deepEqual(part.snapshot(), whole.snapshot());
      for (const one of asked) assert.deepEqual(part.judge(one), whole.judge(one));
    }),
  );
});

test('a page that is neither thin nor a front page leaves its beginning and its sketch behind', () => {
  const sketch = new Uint8Array([1, 2, 3]);
  const page = { host: 'h.test', status: 200, opening: 'Once', words: 500, redirectedTo: 'http://h.test/x' };
  const whole = { ...page, contentSketch: { simhash: 4n, sketch, shingles: 9 } };
  assert.deepEqual(notedVisit({ ...whole, url: 'http://h.test/a' }), {
    ...{ host: 'h.test', url: 'http://h.test/a', status: 200, words: 500 },
    contentSketch: { simhash: 4n, sketch: new Uint8Array(0), shingles: 9 },
  });
  assert.equal(notedVisit({ ...whole, url: 'http://h.test/' }).contentSketch?.sketch, sketch);
});
