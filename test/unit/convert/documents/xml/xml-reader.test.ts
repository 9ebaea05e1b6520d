import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type XmlHandler, XmlReader } from '../../../../../src/convert/documents/xml/xml-reader.ts';
import type { XmlTag } from '../../../../../src/convert/documents/xml/xml-tag.ts';

/** Events in one string: <name>, </name>, text joined. */
function events(pieces: readonly string[], skip: readonly string[] = [], markup = false): string {
  let seen = '';
  const handler: XmlHandler = {
    open(tag: XmlTag): boolean {
      if (skip.includes(tag.name)) return false;
      seen += `<${tag.name}>`;
      return true;
    },
    close(name) {
      seen += `</${name}>`;
    },
    text(text) {
      seen += text;
    },
  };
  const reader = new XmlReader(handler, markup);
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return seen;
}

function attributes(tag: string, ...names: string[]): (string | undefined)[] {
  let found: (string | undefined)[] = [];
  new XmlReader({
    open(opened) {
      found = names.map((name) => (name.startsWith(':') ? opened.qualified(name.slice(1)) : opened.get(name)));
      return true;
    },
    close() {},
    text() {},
  }).write(tag);
  return found;
}

describe('XmlReader', () => {
  test('elements, text, empty elements, prefixes', () => {
    assert.equal(events(['<w:a x="1">one<b/>two</w:a >']), '<a>one<b></b>two</a>');
  });

  test('references: the five, numbers, nothing else', () => {
    assert.equal(
      events(['<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;&#xD800;&#0;&nbsp;&a</a>']),
      '<a><&>"\'A😀\ufffd\ufffd&nbsp;&a</a>',
    );
    assert.equal(
      events(['<a>&nbsp;&mdash;&alpha;&oslash; hy&shy;phen &amp &a;</a>'], [], true),
      '<a>\xa0—αø hyphen &amp &a;</a>',
    );
    assert.equal(events(['<a>&Counter', 'ClockwiseContourIntegral;</a>'], [], true), '<a>∳</a>');
  });

  test('document types are skipped, entities never expanded', () => {
    const laughs = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///secret">]>';
    assert.equal(events([`<?xml version="1.0"?>${laughs}<x>&b;&c;</x>`]), '<x>&b;&c;</x>');
  });

  test('comments, instructions, CDATA', () => {
    assert.equal(events(['<a><!-- <b> --><?x <c>?><![CDATA[<d>&amp;]]></a>']), '<a><d>&amp;</a>');
  });

  test('what is left open is closed, stray ends are passed over', () => {
    assert.equal(events(['<a><b>x</c></a>y']), '<a><b>x</b></a>y');
    assert.equal(events(['<a><b>x']), '<a><b>x</b></a>');
    assert.equal(events(['<a>1 < 2</a>']), '<a>1 < 2</a>');
  });

  test('a subtree that is not wanted', () => {
    assert.equal(events(['<a><s>1<s>2</s><b/>3</s>4<s/>5</a>'], ['s']), '<a>45</a>');
    assert.equal(events(['<a><s>1<br>2</s>3</a>'], ['s'], true), '<a>3</a>');
  });

  test('HTML in the dress of XML', () => {
    assert.equal(events(['<P>one<BR>two</P>'], [], true), '<p>one<br></br>two</p>');
  });

  test('depth and length of tags are bounded', () => {
    const deep = events(['<a>'.repeat(100_000), 'x', '</a>'.repeat(100_000)]);
    assert.ok(deep.length < 512 * 7 + 2);
    assert.equal(events(['<a>before', `<b c="${'x'.repeat(2_000_000)}`, '">after</b></a>']), '<a>before</a>');
  });

  test('attributes: any prefix, the one with a prefix, quotes, references', () => {
    assert.deepEqual(
      attributes('<s id="256" r:id = \'rId2\' name="a &amp; b > c"/>', 'id', ':id', 'name', 'ame', 'no'),
      ['256', 'rId2', 'a & b > c', undefined, undefined],
    );
    assert.deepEqual(attributes('<s broken a=x b="1">', 'broken', 'b'), [undefined, '1']);
  });

  test('however the text is cut, the events are the same', () => {
    const parts = fc.constantFrom(
      '<a b="1>2">',
      '</a>',
      '<c/>',
      'text',
      '&amp;',
      '&#65;',
      '<!-- x -->',
      '<![CDATA[<y>]]>',
      '<?p q?>',
      '<!DOCTYPE a [<!ENTITY b "c">]>',
      ' < ',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), fc.array(fc.nat(200)), (chosen, cuts) => {
        const text = chosen.join('');
        const places = [...new Set(cuts.filter((cut) => cut < text.length))].sort((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => text.slice(from, places[index]));
        assert.equal(events(pieces), events([text]));
      }),
    );
  });

  test('nothing makes it throw', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'<>/!?-[]CDATA&;#x1"\'= ab:') })), (pieces) => {
        events(pieces);
        events(pieces, [], true);
      }),
    );
  });
});
