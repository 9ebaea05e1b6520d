import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { defaultXmlLimits, type XmlLimits } from '../../../../src/extract/xml/xml-limits.ts';
import { type XmlHandler, XmlReader } from '../../../../src/extract/xml/xml-reader.ts';

function eventsOf(
  pieces: readonly string[],
  limits: XmlLimits = defaultXmlLimits,
): { events: string[]; fault?: string } {
  const events: string[] = [];
  let pending = '';
  const flush = (): void => {
    if (pending !== '') events.push(`text ${pending}`);
    pending = '';
  };
  const handler: XmlHandler = {
    open(name, attributes) {
      flush();
      events.push(`open {${name.namespace}}${name.local} ${attributes.join('|')}`.trim());
    },
    text(text) {
      pending += text;
    },
    close(name) {
      flush();
      events.push(`close ${name.local}`);
    },
  };
  const reader = new XmlReader(handler, limits);
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return { events, fault: reader.brokenRule };
}

/** Documents that are almost XML. */
const xmlish = fc
  .array(
    fc.constantFrom(
      ...[
        '<',
        '>',
        '</',
        '/>',
        '<a>',
        '</a>',
        '<b x="1">',
        '</b>',
        '<!--',
        '-->',
        '-',
        '<![CDATA[',
        ']]>',
        ']',
        '<?',
        '?>',
      ],
      ...[
        '&amp;',
        '&',
        ';',
        '#',
        '&lol;',
        '"',
        "'",
        '=',
        ' ',
        'x',
        '<!DOCTYPE a [',
        ']>',
        'xmlns:p="u"',
        '<p:q ',
        '\n',
        'é',
      ],
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('XmlReader', () => {
  test('reads elements, attributes, namespaces, texts, CDATA and references', () => {
    const { events, fault } = eventsOf([
      '<?xml version="1.0"?><!-- c --><r xmlns="u" xmlns:p="v"><p:e a="1&lt;" b=\'"\'>x &amp; &#65;<![CDATA[<&]]></p:e><e/></r>',
    ]);
    assert.equal(fault, undefined);
    assert.deepEqual(events, [
      'open {u}r xmlns|u|xmlns:p|v',
      'open {v}e a|1<|b|"',
      'text x & A<&',
      'close e',
      'open {u}e',
      'close e',
      'close r',
    ]);
  });

  test('says what is wrong and reads on', () => {
    const faultOf = (text: string): string | undefined => eventsOf([text]).fault;
    assert.match(faultOf('<a><b></a>') ?? '', /closes nothing/);
    assert.match(faultOf('<a>') ?? '', /never closed/);
    assert.match(faultOf('<a x=1/>') ?? '', /without quotes/);
    assert.match(faultOf('<a x/>') ?? '', /without a value/);
    assert.match(faultOf('<a x="1" x="2"/>') ?? '', /given twice/);
    assert.match(faultOf('<p:a/>') ?? '', /prefix p/);
    assert.match(faultOf('<a>&nbsp;</a>') ?? '', /nbsp/);
    assert.match(faultOf('<a>AT&T</a>') ?? '', /refers to nothing/);
    assert.match(faultOf('<a/><b/>') ?? '', /more than one root/);
    assert.match(faultOf('<!-- c --><?xml version="1.0"?><a/>') ?? '', /not at the start/);
    assert.match(faultOf('<a>\x01</a>') ?? '', /control/);
    assert.equal(faultOf('\n<a>ok</a>\n'), undefined);
  });

  test('a wrong end tag closes what it names, or nothing', () => {
    assert.deepEqual(eventsOf(['<a><b>x</c></b></a>']).events, [
      'open {}a',
      'open {}b',
      'text x',
      'close b',
      'close a',
    ]);
    assert.deepEqual(eventsOf(['<a><b><c>x</b>y</a>']).events, [
      ...['open {}a', 'open {}b', 'open {}c', 'text x', 'close c', 'close b', 'text y', 'close a'],
    ]);
  });

  test('entities of a DTD are never expanded', () => {
    const laughs =
      '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd"> <!-- \' > -->]><r>&b;&c;</r>';
    const { events } = eventsOf([laughs]);
    assert.deepEqual(events, ['open {}r', 'text &b;&c;', 'close r']);
  });

  test('limits of depth, text and tags hold, and what lies behind them is read', () => {
    const limits = { maxDepth: 2, maxText: 5, maxTag: 10 };
    const { events, fault } = eventsOf([`<a>123456789<b><c>no</c></b><${'x'.repeat(50)}><d/></a>`], limits);
    assert.deepEqual(events.slice(0, 4), ['open {}a', 'text 12345', 'open {}b', 'close b']);
    assert.ok(events.includes('close d'));
    assert.match(fault ?? '', /limit/);
  });

  test('half a text at the end is dropped', () => {
    assert.deepEqual(eventsOf(['<a>http://exam']).events, ['open {}a', 'close a']);
    assert.deepEqual(eventsOf(['<a>http://example</']).events, ['open {}a', 'text http://example', 'close a']);
  });

  test('every open has its close and nothing throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(xmlish, fc.string({ unit: 'binary' })), (text) => {
        const open: string[] = [];
        for (const event of eventsOf([text]).events) {
          if (event.startsWith('open')) open.push(event);
          if (event.startsWith('close')) assert.ok(open.pop() !== undefined);
        }
        assert.equal(open.length, 0);
      }),
      { numRuns: 500 },
    );
  });

  test('where the text is cut into pieces makes no difference', () => {
    const limits = { maxDepth: 4, maxText: 12, maxTag: 14 };
    fc.assert(
      fc.property(xmlish, fc.array(fc.nat(300), { maxLength: 8 }), (text, cuts) => {
        const places = [...cuts.map((cut) => Math.min(cut, text.length)), 0, text.length].sort((a, b) => a - b);
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
        assert.deepEqual(eventsOf(pieces, limits), eventsOf([text], limits));
        assert.deepEqual(eventsOf([...text], limits), eventsOf([text], limits));
      }),
      { numRuns: 1000 },
    );
  });
});
