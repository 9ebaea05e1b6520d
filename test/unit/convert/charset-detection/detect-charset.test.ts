import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteSample } from '../../../../src/convert/charset-detection/byte-sample.ts';
import { detectCharset } from '../../../../src/convert/charset-detection/detect-charset.ts';
import { utf8Evidence } from '../../../../src/convert/charset-detection/utf8-evidence.ts';
import { wideEncoding } from '../../../../src/convert/charset-detection/wide-encoding.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('byteSample', () => {
  test('words with bytes beyond ASCII', () => {
    const sample = byteSample(bytes('<p class=x>Gr\xfc\xdfe aus <b>K\xf6ln</b> und Bonn'), 100);
    assert.equal(Buffer.from(sample).toString('latin1'), 'Gr\xfc\xdfe K\xf6ln ');
  });

  test('never more than asked for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (input, most) => {
        assert.ok(byteSample(input, most).length <= most);
      }),
    );
  });
});

describe('detectCharset', () => {
  test('the encodings of one script are told apart', () => {
    const price = '\xa3 12 and \xa3 25';
    assert.deepEqual(detectCharset(bytes(price)), { encoding: 'windows-1252', clear: true });
    // "Příliš žluťoučký kůň" in two encodings
    assert.equal(detectCharset(bytes('P\xf8\xedli\x9a \x9elu\x9dou\xe8k\xfd k\xf9\xf2')).encoding, 'windows-1250');
    assert.equal(detectCharset(bytes('P\xf8\xedli\xb9 \xbelu\xbbou\xe8k\xfd k\xf9\xf2')).encoding, 'iso-8859-2');
    assert.equal(
      detectCharset(bytes('\xe4\xfc\xf1\xe1 \xf3\xf4\xe7\xed \xe1\xe3\xef\xf1\xdc')).encoding,
      'windows-1253',
    );
    assert.equal(detectCharset(bytes('\xf9\xec\xe5\xed \xe5\xe1\xf8\xeb\xe4')).encoding, 'windows-1255');
  });

  test('no bytes make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (input) => void detectCharset(input)),
      { numRuns: 50 },
    );
  });
});

describe('UTF-8 and UTF-16 by their bytes', () => {
  test('whole characters, long ones and broken bytes are counted', () => {
    const mixed = Buffer.concat([Buffer.from('aé€'), bytes('\xe9 \xff'), Buffer.from('ü')]);
    assert.deepEqual(utf8Evidence(mixed), { characters: 3, long: 1, broken: 2 });
    assert.deepEqual(utf8Evidence(Buffer.from('é€').subarray(0, -1)), { characters: 1, long: 0, broken: 0 });
  });

  test('wide characters without a mark', () => {
    assert.equal(wideEncoding(Buffer.from('我没有埋怨，磋砣的只是一些时间。', 'utf16le')), 'utf-16le');
    assert.equal(wideEncoding(Buffer.from('我没有埋怨，磋砣的只是一些时间。', 'utf16le').swap16()), 'utf-16be');
    assert.equal(wideEncoding(bytes('plain text without any')), undefined);
    assert.equal(wideEncoding(bytes('\x00\x01\x02\x03\x04\x05\x06\x07\x08')), undefined);
  });
});
