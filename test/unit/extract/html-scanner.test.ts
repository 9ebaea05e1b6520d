import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { byteSourceOf } from '../../../src/extract/byte-text.ts';
import { decodeReferences } from '../../../src/extract/character-references.ts';
import { HtmlScanner } from '../../../src/extract/html-scanner.ts';
import { attributeName } from '../../../src/extract/tags/attribute-name.ts';
import { corpus, skipWithout } from '../../corpora.ts';

type Event = ['start', string, Record<string, string>, boolean] | ['end', string] | ['text', string];

/** Reads a document as the scanner sees it; neighbouring texts are joined. */
function read(html: string, rawElement?: string, cdata = false, references = false): Event[] {
  const scanner = new HtmlScanner(byteSourceOf(html), true);
  scanner.wantsText = true;
  scanner.foreign = cdata;
  const events: Event[] = [];
  const addText = (text: string): void => {
    const last = events.at(-1);
    if (last?.[0] === 'text') last[1] += text;
    else if (text !== '') events.push(['text', text]);
  };
  if (rawElement !== undefined) {
    scanner.readRawText(rawElement);
    addText(references ? decodeReferences(scanner.text(), false) : scanner.text());
  }
  for (;;) {
    const token = scanner.next();
    if (token === 'end') return events;
    if (token === 'text') addText(scanner.text());
    else if (token === 'end-tag') events.push(['end', scanner.tagName()]);
    else events.push(['start', scanner.tagName(), Object.fromEntries(scanner.attributes()), scanner.selfClosing]);
  }
}

describe('HtmlScanner', () => {
  test('tags, attributes and texts in order', () => {
    assert.deepEqual(read('x<A HREF="1" b=2 C=\'3\' d/>y</A >z'), [
      ['text', 'x'],
      ['start', 'a', { href: '1', b: '2', c: '3', d: '' }, true],
      ['text', 'y'],
      ['end', 'a'],
      ['text', 'z'],
    ]);
  });

  test('of two attributes with one name the first counts', () => {
    assert.deepEqual(read('<a href=1 HREF=2>'), [['start', 'a', { href: '1' }, false]]);
  });

  test('a slash belongs to an unquoted value', () => {
    assert.deepEqual(read('<a href=x/>'), [['start', 'a', { href: 'x/' }, false]]);
  });

  test('a quote in a name opens no value', () => {
    assert.deepEqual(read('<a b"c>d'), [
      ['start', 'a', { 'b"c': '' }, false],
      ['text', 'd'],
    ]);
  });

  test('a tag that the document cuts off is dropped', () => {
    for (const html of [
      '<a',
      '<a ',
      '<a href',
      '<a href=',
      '<a href=x',
      '<a href="x',
      "<a href='x",
      '<a href="x"',
      '</a',
    ])
      assert.deepEqual(read(html), [], html);
  });

  test('comments end in every odd way', () => {
    for (const comment of [
      '<!-->',
      '<!--->',
      '<!---->',
      '<!--a-->',
      '<!--a--!>',
      '<!--a>-->',
      '<!--<!--a-->',
      '<!-- - -- -->',
    ])
      assert.deepEqual(read(`${comment}<b>`), [['start', 'b', {}, false]], comment);
    for (const open of ['<!--', '<!--a--', '<!--a->', '<!--a--!', '<!--a-- >'])
      assert.deepEqual(read(`${open}<b>`), [], open);
  });

  test('what looks like a declaration ends with the next >', () => {
    for (const bogus of ['<!>', '<!x>', '<?php a?>', '</>', '</ a>', '<!DOCTYPE a "b>', '<![CDATA[a>'])
      assert.deepEqual(read(`${bogus}<b>`), [['start', 'b', {}, false]], bogus);
  });

  test('a < that starts no markup is text', () => {
    assert.deepEqual(read('a < b <1> <<b>'), [
      ['text', 'a < b <1> <'],
      ['start', 'b', {}, false],
    ]);
  });

  test('CDATA holds literal text in foreign content', () => {
    assert.deepEqual(read('<![CDATA[<a>&amp;]]>x', undefined, true), [['text', '<a>&amp;x']]);
  });

  test('raw text ends at its own end tag only', () => {
    assert.deepEqual(read('<b></titles></TITLE\n>x', 'title'), [
      ['text', '<b></titles>'],
      ['end', 'title'],
      ['text', 'x'],
    ]);
  });

  test('a script ends where the standard says', () => {
    const cases: [script: string, rest: string][] = [
      ['a</script>', ''],
      ['<!--</script>', ''],
      ['<!--<script></script>-->', '</script>'],
      ['<!--<script></script>', '</script>'],
      ['<!--<script>--><script></script>', ''],
      ['<!--><script></script>', ''],
      ['<!--<scripts></script>', ''],
    ];
    for (const [script, rest] of cases) {
      const ends = read(`${script}${rest}<b>`, 'script').filter(([kind]) => kind !== 'text');
      assert.deepEqual(
        ends,
        [
          ['end', 'script'],
          ['start', 'b', {}, false],
        ],
        script,
      );
    }
  });

  test('text is passed over while nobody wants it', () => {
    const scanner = new HtmlScanner(byteSourceOf('a<b>c</b>d'));
    assert.deepEqual([scanner.next(), scanner.next(), scanner.next()], ['start-tag', 'end-tag', 'end']);
  });

  test('tokenizer tests of html5lib', { skip: skipWithout('html') }, (context) => {
    const folder = join(corpus('html') as string, 'tokenizer');
    const failures: string[] = [];
    let count = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      for (const { state, html, expected, lastStartTag } of tokenizerCases(join(folder, file))) {
        // Nobody can see a lone "</" at the end of a document: the scanner drops it.
        if (html === '</' && state === 'Data state') continue;
        // No decoder makes half a surrogate pair.
        if (!html.isWellFormed()) continue;
        count++;
        const cdata = state === 'CDATA section state';
        const raw = rawElementOf(state, lastStartTag);
        const actual = read(cdata ? `<![CDATA[${html}` : html, raw, cdata, state === 'RCDATA state');
        // In raw text the reader of the text replaces what the tokenizer of the standard replaces.
        if (raw !== undefined)
          for (const event of actual) if (event[0] === 'text') event[1] = event[1].replaceAll('\0', '\ufffd');
        if (JSON.stringify(actual) !== JSON.stringify(expected))
          failures.push(`${file} ${state} ${JSON.stringify(html)}`);
      }
    }
    context.diagnostic(`${count - failures.length} of ${count} pass`);
    assert.deepEqual(failures, []);
  });
});

function rawElementOf(state: string, lastStartTag: string | undefined): string | undefined {
  switch (state) {
    case 'Data state':
    case 'CDATA section state':
      return undefined;
    case 'PLAINTEXT state':
      return 'plaintext';
    case 'Script data state':
      return lastStartTag ?? 'script';
    default:
      return lastStartTag ?? 'xmp';
  }
}

interface TokenizerCase {
  readonly state: string;
  readonly html: string;
  readonly expected: Event[];
  readonly lastStartTag?: string;
}

test('a tag of any length keeps a bounded number of attributes, and ends where it ends', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `a${at}=v`).join(' ');
  const [start, text] = read(`<p ${many} />after`);
  assert.equal(start[0], 'start');
  assert.equal(Object.keys(start[2] as object).length, 1_000);
  assert.deepEqual(text, ['text', 'after']);
});

function* tokenizerCases(path: string): Generator<TokenizerCase> {
  for (const test of JSON.parse(readFileSync(path, 'utf8')).tests ?? []) {
    const unescaped = (text: string): string =>
      test.doubleEscaped === true
        ? text.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
        : text;
    const expected: Event[] = [];
    for (const [kind, name, attributes, selfClosing] of test.output) {
      if (kind === 'StartTag')
        expected.push([
          'start',
          unescaped(name),
          Object.fromEntries(
            Object.entries(attributes).map(([key, value]) => [unescaped(key), unescaped(value as string)]),
          ),
          selfClosing === true,
        ]);
      else if (kind === 'EndTag') expected.push(['end', unescaped(name)]);
      else if (kind === 'Character') {
        const last = expected.at(-1);
        if (last?.[0] === 'text') last[1] += unescaped(name);
        else expected.push(['text', unescaped(name)]);
      }
    }
    for (const state of test.initialStates ?? ['Data state'])
      yield { state, html: unescaped(test.input).replace(/\r\n?/g, '\n'), expected, lastStartTag: test.lastStartTag };
  }
}

test('values that elements share are their own, however many there are', () => {
  const values = Array.from({ length: 600 }, (_, i) => (i % 7 === 0 ? `a&amp;${i % 90}` : `ä ${i % 200} name`));
  const html = values.map((value) => `<p class="${value}">`).join('');
  const scanner = new HtmlScanner(byteSourceOf(html), true);
  const found: (string | undefined)[] = [];
  while (scanner.next() === 'start-tag') found.push(scanner.attribute(attributeName('class')));
  assert.deepEqual(
    found,
    values.map((value) => value.replace('&amp;', '&')),
  );
});
