import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { charsetOf, decode } from '../../../src/convert/charset.ts';
import { encodingOf } from '../../../src/convert/encoding-label.ts';
import { corpus, skipWithout } from '../../corpora.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('charsetOf', () => {
  test('a byte order mark counts before everything', () => {
    assert.deepEqual(charsetOf(bytes('\xef\xbb\xbf<meta charset=koi8-r>'), { label: 'windows-1251' }), {
      encoding: 'utf-8',
      from: 'bom',
    });
    assert.equal(charsetOf(bytes('\xfe\xff\x00a')).encoding, 'utf-16be');
    assert.equal(charsetOf(bytes('\xff\xfea\x00')).encoding, 'utf-16le');
  });

  test('the header counts before the document', () => {
    assert.deepEqual(charsetOf(bytes('<meta charset=koi8-r>'), { label: ' CP1251 ' }), {
      encoding: 'windows-1251',
      from: 'header',
    });
    assert.deepEqual(charsetOf(bytes('<meta charset=koi8-r>'), { label: 'no such thing' }), {
      encoding: 'koi8-r',
      from: 'meta',
    });
  });

  test('a META tag that says UTF-16 or x-user-defined cannot mean it', () => {
    assert.equal(charsetOf(bytes('<meta charset=utf-16>')).encoding, 'utf-8');
    assert.equal(charsetOf(bytes('<meta charset=x-user-defined>')).encoding, 'windows-1252');
  });

  test('an XML declaration', () => {
    assert.deepEqual(charsetOf(bytes("<?xml version='1.0' encoding='iso-8859-2'?><a/>"), { xml: true }), {
      encoding: 'iso-8859-2',
      from: 'xml',
    });
    assert.equal(charsetOf(bytes('<?xml version="1.0" encoding="koi8-r"?><html>')).encoding, 'koi8-r');
    assert.equal(charsetOf(bytes('<\0?\0x\0m\0l\0'), { xml: true }).encoding, 'utf-16le');
    assert.equal(charsetOf(bytes('\0<\0?\0x\0m\0l'), { xml: true }).encoding, 'utf-16be');
    assert.deepEqual(charsetOf(bytes('<a>\xe9</a>'), { xml: true }), { encoding: 'utf-8', from: 'default' });
    assert.equal(charsetOf(bytes('<meta charset=koi8-r/>'), { xml: true }).encoding, 'utf-8');
  });

  test('without a declaration, UTF-8 where it is valid', () => {
    assert.deepEqual(charsetOf(Buffer.from('schön')), { encoding: 'utf-8', from: 'content' });
    assert.deepEqual(charsetOf(bytes('sch\xf6n')), { encoding: 'windows-1252', from: 'default' });
    assert.equal(charsetOf(Buffer.from('schön €').subarray(0, -1)).encoding, 'utf-8', 'a body that was cut');
    assert.equal(charsetOf(new Uint8Array()).encoding, 'windows-1252');
  });

  test('cases of html5lib and the web platform tests', { skip: skipWithout('html') }, (context) => {
    const lines = readFileSync(join(corpus('html') as string, 'charset-sniffing.jsonl'), 'utf8')
      .trim()
      .split('\n');
    for (const line of lines) {
      const { source, body, body_b64, encoding, not_encoding } = JSON.parse(line);
      const found = charsetOf(body === undefined ? Buffer.from(body_b64, 'base64') : Buffer.from(body)).encoding;
      if (encoding !== undefined) assert.equal(found, encoding.toLowerCase(), `${source} ${body}`);
      else assert.notEqual(found, not_encoding, source);
    }
    context.diagnostic(`${lines.length} cases`);
  });

  test('the charset that Chromium finds without a header', {
    skip: skipWithout('html') || skipWithout('trafilatura-eval'),
  }, (context) => {
    let guessed = 0;
    const seen = gunzipSync(readFileSync(join(corpus('html') as string, 'chromium', 'traf-A.jsonl.gz'))).toString();
    for (const line of seen.trim().split('\n')) {
      const { id, url, charset } = JSON.parse(line);
      const body = gunzipSync(readFileSync(join(corpus('trafilatura-eval') as string, 'html', `${id}.html.gz`)));
      const found = charsetOf(body);
      // Browsers never guess UTF-8, so that nobody comes to rely on it; a crawler wants the text.
      if (found.from === 'content') guessed++;
      else assert.equal(found.encoding, charset.toLowerCase(), url);
    }
    context.diagnostic(`${guessed} guessed to be UTF-8, all others as Chromium`);
  });

  test('no bytes make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (body, xml) => {
        decode(body, charsetOf(body, { xml }).encoding);
      }),
    );
    const markup = fc.string({
      unit: fc.constantFrom('<', 'meta', ' ', '=', '"', "'", 'charset', '>', '!--', '-', '/', 'script', 'é'),
    });
    fc.assert(fc.property(markup, (text) => void charsetOf(Buffer.from(text))));
  });
});

describe('encodings', () => {
  test('every label of the Encoding Standard', { skip: skipWithout('html') }, () => {
    const labels = JSON.parse(readFileSync(join(corpus('html') as string, 'encoding-labels.json'), 'utf8'));
    assert.equal(Object.keys(labels).length, 228);
    for (const [label, encoding] of Object.entries<string>(labels)) {
      assert.equal(encodingOf(label), encoding.toLowerCase(), label);
      assert.equal(encodingOf(`\t${label.toUpperCase()}\n`), encoding.toLowerCase(), label);
    }
  });

  test('what is no label', () => {
    for (const label of ['', 'utf', 'utf-8x', 'utf 8', 'none', '\u212aoi8-r'])
      assert.equal(encodingOf(label), undefined, label);
  });

  test('every encoding can be read', { skip: skipWithout('html') }, () => {
    const labels = JSON.parse(readFileSync(join(corpus('html') as string, 'encoding-labels.json'), 'utf8'));
    for (const encoding of new Set(Object.values<string>(labels)))
      assert.equal(typeof decode(bytes('abc\x80\xff'), encoding.toLowerCase()), 'string', encoding);
  });

  test('decoding', () => {
    assert.equal(decode(bytes('\x80\x93\xe9'), 'windows-1252'), '€“é');
    assert.equal(decode(bytes('\xcf\xf0'), 'windows-1251'), 'Пр');
    assert.equal(decode(bytes('\x93\xfa'), 'shift_jis'), '日');
    assert.equal(decode(bytes('\xef\xbb\xbfa\xff'), 'utf-8'), 'a\ufffd');
    assert.equal(decode(bytes('\xfe\xff\x00a'), 'utf-16be'), 'a');
    assert.equal(decode(bytes('~{<:Ky'), 'replacement'), '\ufffd');
    assert.equal(decode(bytes('a\x80'), 'x-user-defined'), 'a\uf780');
  });
});
