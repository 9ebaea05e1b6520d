import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteSourceOf } from '../../../../src/extract/byte-text.ts';
import { RAW_TEXT } from '../../../../src/extract/element-traits.ts';
import { HtmlScanner } from '../../../../src/extract/html-scanner.ts';
import { KEPT } from '../../../../src/extract/kernel/document-kernel.ts';
import { attributeName } from '../../../../src/extract/tags/attribute-name.ts';

const HREF = attributeName('href');
/** Of no element: with it every tag is looked at. */
const NO_TRAIT = 1 << 20;

const name = fc.constantFrom(
  ...['a', 'A', 'p', 'P', 'li', 'link', 'LINK', 'br', 'b', 'bra', 'i', 'img', 'div', 'span', 'script', 'x-y', 'é'],
  ...['title', 'td', 'h1', 'x\0', 'area', 'abbr', 'style', 'strong', 'svg', 'base', 'base-x', 'noscript'],
);
const space = fc.constantFrom(' ', '\n', '\t', '/', ' / ', '', '\f', '\v');
const value = fc.oneof(
  fc.constantFrom('', 'x', 'a>b', 'a"b', "a'b", '/p?q=1', 'a<b', 'words of a class and more of them', '=', '>', '/'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const attribute = fc
  .tuple(
    fc.constantFrom('class', 'href', 'id', '=', '"', "'", '', 'é', 'a<'),
    space,
    fc.constantFrom('=', '= ', ' = ', '', '=='),
    fc.constantFrom('"', "'", ''),
    value,
    fc.boolean(),
  )
  .map(([name, between, equals, quote, value, isOpen]) =>
    [name, between, equals, quote, value, isOpen ? '' : quote].join(''),
  );
const tag = fc
  .tuple(
    fc.constantFrom('<', '<', '<', '</', '</', '< ', '<!', '<?', '<</'),
    name,
    fc.array(fc.tuple(space, attribute), { maxLength: 3 }),
    fc.constantFrom('>', '>', '>', '>', ' >', '/>', '/', ''),
  )
  .map(([open, name, attributes, close]) => open + name + attributes.flat().join('') + close);
const text = fc.constantFrom('', 'words', ' ', 'a < b', 'a <', '<', '>', '<!-- <p> -->', '<!--', '-->', 'x'.repeat(40));
const html = fc.array(fc.oneof({ weight: 3, arbitrary: tag }, text), { maxLength: 20 }).map((parts) => parts.join(''));

/** What is told of a document, and where. */
function tokens(source: string, wantedTraits: number): unknown[] {
  const scanner = new HtmlScanner(byteSourceOf(source));
  scanner.wantedTraits = wantedTraits;
  const told: unknown[] = [];
  for (;;) {
    const token = scanner.next();
    const { tokenStart, name, selfClosing, traits, passedSections } = scanner;
    if (token === 'end') return [...told, passedSections];
    told.push([token, tokenStart, name, selfClosing, scanner.attribute(HREF), passedSections]);
    if (token === 'start-tag' && (traits & RAW_TEXT) !== 0) scanner.readRawText(name);
  }
}

test('the tags that are left are the same ones as where each is looked at', () => {
  fc.assert(
    fc.property(html, (source) => {
      assert.deepEqual(tokens(source, KEPT), tokens(source, KEPT | NO_TRAIT));
    }),
    { numRuns: 3000 },
  );
});

test('nothing of a document that was held before is read', () => {
  const before = `${'<a href=x>'.repeat(20)}`;
  fc.assert(
    fc.property(html, (source) => {
      tokens(before, KEPT);
      const alone = tokens(source, KEPT);
      assert.deepEqual(alone, tokens(source, KEPT | NO_TRAIT));
    }),
    { numRuns: 300 },
  );
});
