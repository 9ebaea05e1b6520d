import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createXmlDecoder, decodeXml, xmlCharset } from '../../../../src/extract/xml/xml-charset.ts';

describe('xmlCharset', () => {
  const latin1 = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a/>');

  test('byte order mark, then header, then declaration, then UTF-8', () => {
    assert.deepEqual(xmlCharset(latin1), {
      encoding: 'windows-1252',
      label: 'iso-8859-1',
      from: 'declaration',
      unknownLabel: undefined,
    });
    assert.equal(xmlCharset(latin1, 'text/xml; charset="utf-8"').from, 'header');
    assert.equal(xmlCharset(Buffer.from('\ufeff<a/>'), 'text/xml;charset=big5').encoding, 'utf-8');
    assert.equal(xmlCharset(Buffer.from('<a/>')).from, 'default');
  });

  test('labels nobody knows are told', () => {
    assert.equal(xmlCharset(Buffer.from('<?xml version="1.0" encoding="bogus"?>')).unknownLabel, 'bogus');
    assert.equal(xmlCharset(latin1, 'text/xml;charset=bogus').encoding, 'windows-1252');
  });

  test('UTF-16 and UTF-32 are told by the shape of their first bytes', () => {
    assert.equal(xmlCharset(Buffer.from('<?xml?>', 'utf16le')).encoding, 'utf-16le');
    const wide = Buffer.from([0x3c, 0, 0, 0, 0x61, 0, 0, 0]);
    assert.equal(xmlCharset(wide).encoding, 'utf-32le');
    assert.equal(decodeXml(wide, 'utf-32le'), '<a');
    assert.equal(decodeXml(Buffer.from([0, 0, 0xfe, 0xff, 0, 1, 0xf6, 0]), 'utf-32be'), '😀');
  });

  test('UTF-32 decodes the same in pieces, and nothing throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(40), (bytes, cut) => {
        const decoder = createXmlDecoder('utf-32le');
        const inPieces = decoder.decode(bytes.subarray(0, cut), { stream: true }) + decoder.decode(bytes.subarray(cut));
        assert.equal(inPieces, decodeXml(bytes, 'utf-32le'));
        decodeXml(bytes, xmlCharset(bytes).encoding);
      }),
    );
  });
});
