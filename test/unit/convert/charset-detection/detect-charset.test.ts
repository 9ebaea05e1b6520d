import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decode } from '../../../../src/convert/charset.ts';
import { byteSample } from '../../../../src/convert/charset-detection/byte-sample.ts';
import { detectCharset } from '../../../../src/convert/charset-detection/detect-charset.ts';
import { ebcdicEncoding } from '../../../../src/convert/charset-detection/ebcdic-encoding.ts';
import { utf8Evidence } from '../../../../src/convert/charset-detection/utf8-evidence.ts';
import { wideEncoding } from '../../../../src/convert/charset-detection/wide-encoding.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

function utf32(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 4));
  for (const [at, char] of [...text].entries()) view.setUint32(at * 4, char.codePointAt(0) ?? 0, littleEndian);
  return new Uint8Array(view.buffer);
}

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

  test('accents within Latin words are no ideographs', () => {
    assert.equal(detectCharset(bytes('Gr\xfc\xdfe aus dem Netz, '.repeat(50))).encoding, 'windows-1252');
  });

  test('code pages of DOS', () => {
    // "Die Würde des Menschen ... für alle Völker!", "Příliš žluťoučký kůň ...", "Όλοι οι άνθρωποι γεννιούνται ..."
    const german = 'W\x81rde des Menschen zu sch\x81tzen, hei\xe1t es f\x81r alle V\x94lker!';
    const czech = 'P\xfd\xa1li\xe7 \xa7lu\x9cou\x9fk\xec k\x85\xe5 \xa3p\xd8l \xd4\xa0belsk\x82 \xa2dy';
    const greek =
      '\xee\xa2\xa6\xa0 \xa6\xa0 \xe1\xa4\x9f\xa8\xe0\xa7\xa6\xa0 \x9a\x9c\xa4\xa4\xa0\xa6\xe7\xa4\xab\x98\xa0';
    assert.equal(detectCharset(bytes(german)).encoding, 'ibm850');
    assert.equal(detectCharset(bytes(czech)).encoding, 'ibm852');
    assert.equal(detectCharset(bytes(greek)).encoding, 'ibm737');
    assert.equal(decode(bytes('P\xfd\xa1li\xe7 \xa7lu\x9cou\x9fk\xec'), 'ibm852'), 'Příliš žluťoučký');
  });

  test('pages of EBCDIC', () => {
    // "Die Würde des Menschen ist unantastbar, heißt es für alle Völker!", as three mainframes write it.
    const start = 'c4898540e6';
    const middle = '998485408485a240d48595a2838885954089a2a340a4958195a381a2a38281996b40888589';
    const pages: [string, string][] = [
      ['ibm037', `${start}dc${middle}59a34085a24086dc99408193938540e5cc939285995a`],
      ['ibm500', `${start}dc${middle}59a34085a24086dc99408193938540e5cc939285994f`],
      ['ibm273', `${start}d0${middle}a1a34085a24086d099408193938540e56a939285994f`],
    ];
    for (const [encoding, hex] of pages) {
      const input = Buffer.from(hex, 'hex');
      assert.deepEqual(detectCharset(input), { encoding, clear: true });
      assert.equal(decode(input, encoding), 'Die Würde des Menschen ist unantastbar, heißt es für alle Völker!');
    }
    assert.equal(ebcdicEncoding(bytes('name@example.com '.repeat(20))), undefined);
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
    const russian = 'Все люди рождаются свободными';
    assert.equal(wideEncoding(Buffer.from(russian, 'utf16le')), 'utf-16le');
    assert.equal(wideEncoding(Buffer.from(russian, 'utf16le').swap16()), 'utf-16be');
    for (const text of [russian, 'All human beings', '人人生而自由,在尊严和权利上一律平等']) {
      assert.equal(wideEncoding(utf32(text, true)), 'utf-32le');
      assert.equal(wideEncoding(utf32(text, false)), 'utf-32be');
    }
    assert.equal(wideEncoding(new Uint8Array(64)), undefined);
    assert.equal(wideEncoding(bytes('plain text without any')), undefined);
    assert.equal(wideEncoding(bytes('\x00\x01\x02\x03\x04\x05\x06\x07\x08')), undefined);
  });
});
