import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { contentCodings, decodeContent } from '../../../src/archive/content-coding.ts';
import { dechunk } from '../../../src/archive/transfer-coding.ts';

const PLAIN = Buffer.from(Array.from({ length: 20_000 }, (_, n) => (n * n) % 97));
const CODERS = {
  gzip: gzipSync,
  deflate: deflateSync,
  'deflate ': deflateRawSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

describe('content coding', () => {
  test('names: case, blanks, identity', () => {
    assert.deepEqual(contentCodings(undefined), []);
    assert.deepEqual(contentCodings(' GZip ,, identity, BR'), ['gzip', 'br']);
  });

  for (const [name, encode] of Object.entries(CODERS)) {
    const coding = name.trim();
    test(`${name}: whole, cut, and wrongly labelled`, () => {
      const raw = encode(PLAIN);
      assert.deepEqual(decodeContent(raw, [coding]), PLAIN);
      const cut = decodeContent(raw.subarray(0, raw.length - 20), [coding]);
      assert.ok(PLAIN.subarray(0, cut.length).equals(cut), 'what is decoded of a cut body is its beginning');
      const text = Buffer.from('this was never compressed');
      assert.deepEqual(decodeContent(text, [coding]), text);
    });
  }

  test('beyond the limits, or unknown: as it is', () => {
    const raw = gzipSync(PLAIN);
    assert.equal(decodeContent(raw, ['gzip'], 1000), raw);
    assert.equal(decodeContent(raw, ['compress']), raw);
    assert.equal(decodeContent(raw, Array(9).fill('gzip')), raw);
  });
});

describe('transfer coding', () => {
  test('chunks of any sizes are joined', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 })), (chunks) => {
        const wire = chunks.flatMap((chunk, n) => [
          `${chunk.length.toString(16)}${n % 2 ? ';x=y' : ''}\r\n`,
          chunk,
          '\r\n',
        ]);
        const bytes = Buffer.concat([...wire, '0\r\n\r\n'].map((part) => Buffer.from(part as string)));
        assert.deepEqual(dechunk(bytes), Buffer.concat(chunks));
      }),
    );
  });

  test('what is not chunked stays', () => {
    for (const text of ['<!doctype html>\n<p>', 'hello', 'xyz\r\nabc']) {
      assert.equal(dechunk(Buffer.from(text)).toString(), text);
    }
  });
});
