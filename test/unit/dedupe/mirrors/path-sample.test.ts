import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Content } from '../../../../src/dedupe/mirrors/page-content.ts';
import { PathSample } from '../../../../src/dedupe/mirrors/path-sample.ts';
import { textHash } from '../../../../src/dedupe/mirrors/text-hash.ts';

function content(digest: number): Content {
  return { digest, low: digest + 1, high: digest + 2, seconds: 9, flags: 3 };
}

describe('PathSample', () => {
  test('property: holds the smallest hashes, whatever the order, with their latest contents', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 300 }), (paths) => {
        const sample = new PathSample();
        for (const [at, path] of paths.entries()) sample.put(path, content(at));
        const expected = [...new Set(paths)].sort((a, b) => a - b).slice(0, 64);
        const held = Array.from({ length: sample.size }, (_, at) => sample.path(at)).sort((a, b) => a - b);
        assert.deepEqual(held, expected);
        for (const path of held) assert.equal(sample.content(sample.indexOf(path)).digest, paths.lastIndexOf(path));
        assert.deepEqual(PathSample.fromJson(sample.toJson()), sample);
      }),
    );
  });

  test('two origins with the same paths sample the same ones', () => {
    const paths = Array.from({ length: 1000 }, (_, at) => textHash(`/page/${at}`));
    const [a, b] = [new PathSample(), new PathSample()];
    for (const path of paths) a.put(path, content(1));
    for (const path of paths.toReversed()) b.put(path, content(2));
    for (let at = 0; at < 64; at++) assert.ok(b.indexOf(a.path(at)) >= 0);
    assert.ok(a.rate > 0.04 && a.rate < 0.1, `rate ${a.rate}`);
  });

  test('text that is no sample makes an empty one', () => {
    for (const text of ['', 'AA', 'AAAAAA==', '****']) assert.equal(PathSample.fromJson(text).size, 0);
  });
});
