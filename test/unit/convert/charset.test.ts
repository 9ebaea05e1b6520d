import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
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
    assert.equal(charsetOf(bytes('\xff\xfe\0\0a\0\0\0')).encoding, 'utf-32le');
    assert.equal(charsetOf(bytes('\0\0\xfe\xff\0\0\0a')).encoding, 'utf-32be');
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

  test('a META tag counts wherever the first kilobyte ends', () => {
    for (let before = 980; before <= 1030; before++) {
      const head = `<title>${'x'.repeat(before - 15)}</title>`;
      const page = bytes(`${head}<meta charset=koi8-r><body>${'x'.repeat(200)}`);
      assert.deepEqual(charsetOf(page), { encoding: 'koi8-r', from: 'meta' });
      const hidden = bytes(`<!--${'x'.repeat(before)}--><script>"<meta charset=koi8-r>"</script><meta charset=koi8-u>`);
      assert.deepEqual(charsetOf(hidden), { encoding: 'koi8-u', from: 'meta' });
    }
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
    assert.deepEqual(charsetOf(bytes('<a>e</a>'), { xml: true }), { encoding: 'utf-8', from: 'default' });
    assert.equal(charsetOf(bytes('<meta charset=koi8-r/>'), { xml: true }).encoding, 'utf-8');
  });

  test('without a declaration, UTF-8 where it is valid', () => {
    assert.deepEqual(charsetOf(Buffer.from('schön')), { encoding: 'utf-8', from: 'content' });
    assert.deepEqual(charsetOf(bytes('sch\xf6n')), { encoding: 'windows-1252', from: 'content' });
    assert.equal(charsetOf(bytes('caf\xe9')).encoding, 'windows-1252', 'a last byte is no cut character');
    assert.equal(charsetOf(Buffer.from('schön €').subarray(0, -1)).encoding, 'utf-8', 'a body that was cut');
    assert.equal(charsetOf(new Uint8Array()).encoding, 'windows-1252');
  });

  test('UTF-8 was declared, but the bytes are something else', () => {
    const russian = bytes(
      '\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? \xd5\xee\xf0\xee\xf8\xee, \xf1\xef\xe0\xf1\xe8\xe1\xee.',
    );
    assert.deepEqual(charsetOf(russian, { label: 'utf-8' }), { encoding: 'windows-1251', from: 'content' });
    assert.equal(
      charsetOf(russian, { xml: true }).encoding,
      'windows-1251',
      'XML without a declaration is UTF-8 as well',
    );
    const german = bytes('<meta charset=utf-8><p>Gr\xfc\xdfe aus K\xf6ln, \xdcberraschung f\xfcr alle');
    assert.equal(charsetOf(german).encoding, 'windows-1252');
  });

  test('a few broken bytes do not make UTF-8 something else', () => {
    const quoted = Buffer.concat([
      Buffer.from('Überraschung für die Gäste aus Köln: '),
      bytes('\xe9'),
      Buffer.from(' zum Schluß'),
    ]);
    assert.deepEqual(charsetOf(quoted, { label: 'utf-8' }), { encoding: 'utf-8', from: 'header' });
    const cut = Buffer.from('Überraschung €').subarray(0, -1);
    assert.deepEqual(charsetOf(cut, { label: 'utf-8' }), { encoding: 'utf-8', from: 'header' });
  });

  test('another encoding was declared, but the bytes are UTF-8', () => {
    assert.deepEqual(charsetOf(Buffer.from('<meta charset=iso-8859-1>schön')), { encoding: 'utf-8', from: 'content' });
    assert.equal(charsetOf(Buffer.from('Привет'), { label: 'windows-1251' }).encoding, 'utf-8');
    assert.equal(charsetOf(Buffer.from('日本語の文章'.repeat(20)), { label: 'shift_jis' }).encoding, 'utf-8');
    assert.equal(
      charsetOf(bytes('\xc1\xaa\xcd\xa8'), { label: 'gbk' }).encoding,
      'gbk',
      'two characters that are UTF-8 by chance',
    );
    assert.equal(charsetOf(Buffer.from('<p>text</p>'), { label: 'utf-16' }).encoding, 'utf-8');
    assert.equal(charsetOf(bytes('t\0e\0x\0t\0!\0'), { label: 'utf-16' }).encoding, 'utf-16le');
  });

  test('nothing was declared: the bytes decide', () => {
    const found = (text: string): string => charsetOf(bytes(text)).encoding;
    assert.equal(found('\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1'), 'koi8-r');
    assert.equal(found('\x8f\xe0\xa8\xa2\xa5\xe2, \xaa\xa0\xaa \xa4\xa5\xab\xa0'), 'ibm866');
    assert.equal(found('\x93\xfa\x96{\x8c\xea\x82\xcc\x95\xb6\x8f\xcd\x82\xc5\x82\xb7'), 'shift_jis');
    assert.equal(found('\xc6\xfc\xcb\xdc\xb8\xec\xa4\xce\xca\xb8\xbe\xcf\xa4\xc7\xa4\xb9'), 'euc-jp');
    assert.equal(found('\x1b$BF|K\\8l\x1b(B'), 'iso-2022-jp');
    assert.equal(found('\x1b$)C\x0eGQ1[\x0f'), 'iso-2022-kr');
    assert.equal(found('\x1b[1mbold\x1b[0m'), 'windows-1252', 'a terminal, no encoding');
    assert.equal(found('t\0e\0x\0t\0 \0w\0i\0d\0e\0'), 'utf-16le');
    assert.equal(found('\0t\0e\0x\0t\0 \0w\0i\0d\0e'), 'utf-16be');
    const noise = Uint8Array.from({ length: 300 }, (_, index) => (index * index * 7_919 + index * 104_729) >> 3);
    assert.deepEqual(charsetOf(noise), { encoding: 'windows-1252', from: 'default' }, 'no text at all');
  });

  test('texts without labels', { skip: skipWithout('charset') }, (context) => {
    const lines = readFileSync(join(corpus('charset') as string, 'samples.jsonl'), 'utf8')
      .trim()
      .split('\n');
    let right = 0;
    for (const line of lines) {
      const { text_sha1, body_b64 } = JSON.parse(line);
      const body = Buffer.from(body_b64, 'base64');
      const text = decode(body, charsetOf(body).encoding);
      if (createHash('sha1').update(text).digest('hex') === text_sha1) right++;
    }
    context.diagnostic(`${right} of ${lines.length} give the same text, byte for byte`);
    // Seven more hold characters that the Encoding Standard reads otherwise than the makers of the samples.
    assert.ok(right >= 112);
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
    assert.equal(decode(bytes('\xff\xfe\0\0a\0\0\0\x00\xf6\x01\0\xff'), 'utf-32le'), 'a\u{1f600}\ufffd');
    assert.equal(decode(bytes('\0\0\xd8\0\0\x11\0\0\0\0\0a'), 'utf-32be'), '\ufffd\ufffda');
    assert.equal(decode(bytes('~{<:Ky'), 'replacement'), '\ufffd');
    assert.equal(decode(bytes('a\x80'), 'x-user-defined'), 'a\uf780');
    assert.equal(decode(bytes('\x80\xff'), 'x-mac-cyrillic'), 'А€');
    assert.equal(decode(bytes('\xa4\xfe'), 'iso-8859-16'), '€ț');
    assert.equal(decode(bytes('a\xdd \xb7'), 'ibm855'), 'aП и');
    assert.equal(decode(bytes('\x1b$)C\x0eGQ1[\x0f ok\n\x0eGQ\nGQ'), 'iso-2022-kr'), '한글 ok\n한\nGQ');
  });
});
