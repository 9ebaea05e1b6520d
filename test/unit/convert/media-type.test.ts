import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mediaTypeOf, parseContentType } from '../../../src/convert/media-type.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const typeOf = (header: string | undefined, body: string, url = 'http://host.test/'): string =>
  mediaTypeOf(header, bytes(body), url).type;

describe('parseContentType', () => {
  test('type and parameters', () => {
    const parsed = parseContentType(' Text/HTML ; Charset="ISO-8859-1;x\\"y" ;charset=utf-8; q; =z; boundary=a=b ');
    assert.equal(parsed?.type, 'text/html');
    assert.deepEqual(
      [...(parsed?.parameters ?? [])],
      [
        ['charset', 'ISO-8859-1;x"y'],
        ['boundary', 'a=b'],
      ],
    );
  });

  test('what names no type', () => {
    for (const header of [undefined, '', 'html', '/', 'text/', 'text/html/x', 'te xt/html', ';charset=utf-8'])
      assert.equal(parseContentType(header), undefined, header);
  });

  test('an unclosed quote', () => {
    assert.equal(parseContentType('text/html; charset="utf-8')?.parameters.get('charset'), 'utf-8');
    assert.equal(parseContentType('text/html; charset="')?.parameters.get('charset'), undefined);
  });
});

describe('mediaTypeOf', () => {
  test('the header is believed', () => {
    assert.deepEqual(mediaTypeOf('text/html; charset=koi8-r', bytes('plain words'), 'http://host.test/'), {
      type: 'text/html',
      isHtml: true,
      isXml: false,
      isText: true,
      charset: 'koi8-r',
    });
    assert.equal(typeOf('text/plain', '<html>'), 'text/plain');
    assert.equal(typeOf('image/svg+xml', '<svg>'), 'image/svg+xml');
    assert.equal(typeOf('application/epub+zip', 'PK\x03\x04'), 'application/epub+zip');
  });

  test('unless the bytes contradict it', () => {
    assert.equal(typeOf('text/html', '%PDF-1.7'), 'application/pdf');
    assert.equal(typeOf('text/html', '\x89PNG\r\n\x1a\n'), 'image/png');
    assert.equal(typeOf('text/plain; charset=utf-8', '\x1f\x8b\x08\x00'), 'application/gzip');
    assert.equal(typeOf('text/html', '<?xml version="1.0"?>\n<!-- x --><rss version="2.0">'), 'application/rss+xml');
    assert.equal(typeOf('application/xml', '<feed xmlns="http://www.w3.org/2005/Atom">'), 'application/atom+xml');
    assert.equal(typeOf('text/xml', '<?xml version="1.0"?><rdf:RDF xmlns:rdf="x">'), 'application/rss+xml');
    assert.equal(typeOf('text/html', '<?xml version="1.0"?><urlset xmlns="x">'), 'application/xml');
    assert.equal(typeOf('text/html', '<?xml version="1.0"?><!DOCTYPE html><html>'), 'text/html');
  });

  test('content tells where the header says nothing', () => {
    for (const header of [undefined, 'application/octet-stream', 'unknown/unknown', 'nonsense']) {
      assert.equal(typeOf(header, '\xef\xbb\xbf \n<!DOCTYPE HTML><p>'), 'text/html');
      assert.equal(typeOf(header, '<!-- x --><HTML>'), 'text/html');
      assert.equal(typeOf(header, '%PDF-1.4'), 'application/pdf');
      assert.equal(typeOf(header, 'GIF89a...'), 'image/gif');
      assert.equal(typeOf(header, '\xff\xd8\xff\xe0'), 'image/jpeg');
      assert.equal(typeOf(header, 'RIFF\x01\x02\x03\x04WEBPVP8 '), 'image/webp');
      assert.equal(typeOf(header, '<?xml version="1.0"?><x/>'), 'application/xml');
      assert.equal(typeOf(header, '<?xml version="1.0"?><svg xmlns="x">'), 'image/svg+xml');
      assert.equal(typeOf(header, '{\\rtf1'), 'application/rtf');
      assert.equal(typeOf(header, 'plain words'), 'text/plain');
      assert.equal(typeOf(header, 'a\0b'), 'application/octet-stream');
      assert.equal(typeOf(header, ''), 'application/octet-stream');
    }
  });

  test('the name of the file tells what an archive or a text holds', () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    assert.equal(typeOf(undefined, 'PK\x03\x04', 'http://host.test/a.docx?x=1#y'), docx);
    assert.equal(typeOf('application/octet-stream', 'PK\x03\x04', 'http://host.test/a'), 'application/zip');
    assert.equal(typeOf(undefined, 'a,b\n', 'http://host.test/a.CSV'), 'text/csv');
    assert.equal(typeOf(undefined, '%PDF-1.4', 'http://host.test/a.html'), 'application/pdf');
    assert.equal(typeOf(undefined, 'words', 'http://host.com'), 'text/plain');
  });

  test('kinds of types', () => {
    const kinds = (header: string): [boolean, boolean, boolean] => {
      const { isHtml, isXml, isText } = mediaTypeOf(header, bytes('x'), 'http://host.test/');
      return [isHtml, isXml, isText];
    };
    assert.deepEqual(kinds('application/xhtml+xml'), [true, true, true]);
    assert.deepEqual(kinds('application/rss+xml'), [false, true, true]);
    assert.deepEqual(kinds('application/ld+json'), [false, false, true]);
    assert.deepEqual(kinds('text/css'), [false, false, true]);
    assert.deepEqual(kinds('image/png'), [false, false, false]);
  });

  test('containers full of nonsense', () => {
    const starts = ['PK\x03\x04', 'PK\x05\x06', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'].map((start) => bytes(start));
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ minLength: 20, maxLength: 2_000 }), (start, rest) => {
        const body = Buffer.concat([start, rest]);
        assert.match(mediaTypeOf(undefined, body, 'http://host.test/').type, /^application\//);
      }),
    );
  });

  test('nothing makes it throw', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string(), { nil: undefined }),
        fc.uint8Array({ maxLength: 100 }),
        fc.string(),
        (header, body, url) => {
          assert.match(mediaTypeOf(header, body, url).type, /^[^\s/]+\/[^\s/]+$/);
        },
      ),
    );
  });
});
