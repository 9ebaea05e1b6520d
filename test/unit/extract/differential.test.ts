import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { extractPage } from '../../../src/extract/extract-page.ts';
import { corpus, skipWithout } from '../../corpora.ts';
import { propertyRuns } from '../../property-runs.ts';
import { oracle } from './parse5-oracle.ts';

/**
 * One pass without a tree against a full tree builder. Differences that are left, and why:
 *  - documents with <select>: the oracle drops markup in it, as browsers did before select elements could hold anything;
 *  - documents with <frameset>: a browser shows the frames alone, we also list the links beside them;
 *  - a stray end tag of HTML inside <svg> or <math>: we take it to close an element around, without knowing whether one is open;
 *  - CDATA directly in an integration point such as <mi>: the oracle reads markup where the standard has literal text.
 */
const KINDS = new Set(['a', 'area', 'frame', 'iframe', 'img', 'link', 'form']);
const ABSOLUTE = 'http://host.test/';

function compare(html: string): {
  missed: string[];
  invented: string[];
  titles: [ours: string, theirs: string];
  found: number;
} {
  const theirs = oracle(html);
  const ours = extractPage(html, {
    url: ABSOLUTE,
    resources: true,
    resolver: () => (reference) => ABSOLUTE + encodeURIComponent(reference.toWellFormed()),
  });
  const found = new Set(
    ours.links
      .filter((link) => KINDS.has(link.kind))
      .map((link) => `${link.kind} ${decodeURIComponent(link.url.slice(ABSOLUTE.length))}`),
  );
  // Links with other schemes are left out before they are resolved.
  const wanted = new Set(
    [...theirs.references].filter((reference) => !/^\w+ (?!https?:|ftp:|file:)[a-z][a-z0-9+.-]*:/i.test(reference)),
  );
  return {
    missed: [...wanted].filter((reference) => !found.has(reference)),
    invented: [...found].filter((reference) => !wanted.has(reference)),
    titles: [ours.title, theirs.title],
    found: found.size,
  };
}

function assertSame(html: string): number {
  const { missed, invented, titles, found } = compare(html);
  const told = JSON.stringify(html);
  assert.deepEqual({ missed, invented }, { missed: [], invented: [] }, told);
  assert.equal(titles[0], titles[1], told);
  return found;
}

describe('links as a tree builder finds them', () => {
  const anything = documents(false);
  const withForeign = documents(true);

  test('in random broken HTML', () => {
    fc.assert(
      fc.property(anything, (html) => void assertSame(html)),
      { numRuns: propertyRuns(4_000), seed: 1 },
    );
  });

  test('in random broken HTML with SVG and MathML', () => {
    fc.assert(
      fc.property(withForeign, (html) => void assertSame(html)),
      { numRuns: propertyRuns(4_000), seed: 1 },
    );
  });

  test('no text makes it throw', () => {
    const noise = fc.string({
      unit: fc.constantFrom('<', '>', '/', '!', '-', '"', "'", '=', '&', ';', '#', 'a', ' ', '\0', '\r', 'é'),
    });
    fc.assert(
      fc.property(noise, (html) => void assertSame(html)),
      { numRuns: propertyRuns(2_000), seed: 1 },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (html) => void compare(html)));
  });

  /** The documents of the html5lib tree tests hold few links, so links are put between their tags. */
  const variants: [name: string, plant: (html: string) => string][] = [
    ['as they are', (html) => html],
    ['with a link at the end', (html) => `${html}<a href=end>`],
    ['with anchors between the tags', (html) => between(html, (number) => `<a href=${number}>`)],
    ['with areas between the tags', (html) => between(html, (number) => `<area href=${number}>`)],
    ['with frames between the tags', (html) => between(html, (number) => `<iframe src=${number}></iframe>`)],
    ['with images between the tags', (html) => between(html, (number) => `<img src=${number}>`)],
  ];
  for (const [name, plant] of variants) {
    test(`html5lib tree tests ${name}`, { skip: skipWithout('html') }, (context) => {
      let documents = 0;
      let links = 0;
      for (const { data, fragment } of treeCases()) {
        if (fragment !== undefined || /<select|<frameset/i.test(data)) continue;
        documents++;
        links += assertSame(plant(data));
      }
      context.diagnostic(`${documents} documents, ${links} links, no difference`);
    });
  }

  test('html5lib tree tests with a frameset: nothing is missed', { skip: skipWithout('html') }, () => {
    for (const { data, fragment } of treeCases())
      if (fragment === undefined && /<frameset/i.test(data))
        assert.deepEqual(compare(`${data}<a href=end>`).missed, [], data);
  });
});

function between(html: string, link: (number: number) => string): string {
  let number = 0;
  return `${html.replace(/<(?=[a-z/])/gi, () => `${link(number++)}<`)}${link(number)}`;
}

function treeCases(): { data: string; fragment?: string }[] {
  return readFileSync(join(corpus('html') as string, 'tree-construction.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Documents made of tags in any order, attributes in any state, and everything odd there is. */
function documents(foreign: boolean): fc.Arbitrary<string> {
  const name = fc.constantFrom(
    ...(
      'a area base body br button caption col colgroup dd div dl dt em embed font form frame h1 head html i iframe img input li ' +
      'link meta noembed noframes noscript object ol p plaintext pre script span style table tbody td template textarea th title tr ' +
      'ul xmp b nobr marquee applet image x-y option optgroup A SCRIPT Title'
    )
      .split(' ')
      // After <col> a template takes nothing but columns, not even <svg>.
      .filter((tag) => !foreign || !tag.startsWith('col')),
  );
  const value = fc.oneof(
    fc.constantFrom(
      'x',
      '/p?a=1&copy=2',
      'a&amp;b',
      '&ampx',
      '&notit;',
      '&#x41;',
      '&#65',
      '&bogus;',
      'a\0b',
      'a"b',
      "a'b",
      'a>b',
      'a<b',
    ),
    fc.constantFrom(
      '',
      'é',
      '\u{1f600}',
      'a b',
      'a\nb',
      'a\r\nb',
      '&lt',
      '&lt=',
      '&#0;',
      '&#x110000;',
      '&#128;',
      'javascript:1',
      '=q',
    ),
    fc.string({ maxLength: 6 }),
  );
  const attribute = fc
    .tuple(
      fc.constantFrom(
        'href',
        'HREF',
        'src',
        'rel',
        'action',
        'method',
        'class',
        '=',
        '"',
        "'",
        '<',
        'content',
        'color',
      ),
      fc.constantFrom('=', ' = ', '', '= ', ' ='),
      fc.constantFrom('"', "'", ''),
      value,
    )
    .map(([key, equals, quote, text]) =>
      equals === '' ? key : key + equals + quote + (quote === '' ? text : text.replaceAll(quote, '')) + quote,
    );
  const unclosed = fc
    .tuple(fc.constantFrom('href', 'src'), fc.constantFrom('="', "='", '=="'), value)
    .map((parts) => parts.join(''));
  const startTag = fc
    .tuple(
      name,
      fc.array(fc.oneof({ weight: 15, arbitrary: attribute }, { weight: 1, arbitrary: unclosed }), { maxLength: 4 }),
      fc.constantFrom(' ', '\n', '\t', '\f', '/', ' /  ', '\r\n'),
      fc.constantFrom('>', '>', '>', '>', '>', '/>', ''),
    )
    .map(([tag, attributes, space, end]) => `<${tag}${attributes.map((text) => space + text).join('')}${end}`);
  const endTag = fc
    .tuple(name, fc.constantFrom('>', '>', '>', ' >', ' x=">">', '/>', ''))
    .map(([tag, end]) => `</${tag}${end}`);
  const link = fc
    .tuple(fc.constantFrom('<a href=', '<area href=', '<img src=', '<form action=', '<link rel=x href='), fc.nat(99))
    .map(([tag, number]) => `${tag}${number}>`);
  const odd = fc.constantFrom(
    ...[
      '<!-->',
      '<!--->',
      '<!---->',
      '<!--',
      '-->',
      '--!>',
      '<!-- a --!>',
      '<!',
      '<!x>',
      '<?php a>b ?>',
      '</>',
      '</ x>',
      '<',
      '>',
    ],
    ...[
      '<![CDATA[',
      '<![CDATA[<a href=c>]]>',
      ']]>',
      '<!DOCTYPE html>',
      '<!doctype x "a>b">',
      '\0',
      '&amp;',
      '<!--<script>',
      '</script>',
    ],
    ...[
      '<1>',
      '< a href=x>',
      '<a/href=y>',
      'text',
      '<a href=z>q</a>',
      '<!--<a href=1>-->',
      '</a',
      '<a href=',
      '"',
      "'",
    ],
  );
  const piece = fc.oneof(
    { weight: 6, arbitrary: startTag },
    { weight: 3, arbitrary: endTag },
    { weight: 6, arbitrary: link },
    { weight: 2, arbitrary: odd },
    { weight: foreign ? 3 : 0, arbitrary: foreignContent() },
  );
  return fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
}

/** SVG and MathML in which elements are closed, with HTML in all the places where it may stand and where it may not. */
function foreignContent(): fc.Arbitrary<string> {
  const leaf = fc.constantFrom(
    ...[
      '<a href=1>x</a>',
      '<a href=2></a>',
      '<area href=3>',
      '<link rel=x href=4>',
      '<path/>',
      '<p>x</p>',
      '<div>x</div>',
      '<b>x</b>',
      '<img src=5>',
    ],
    ...[
      '<font color=red>x</font>',
      '<font>x</font>',
      '<!--<a href=6>-->',
      '<svg/>',
      '<math/>',
      'text',
      '<form action=7></form>',
      '<title/>',
      '<br>',
      '</p>',
    ],
  );
  const { content } = fc.letrec((tie) => ({
    content: fc.array(fc.oneof({ maxDepth: 3 }, leaf, tie('element')), { maxLength: 4 }).map((parts) => parts.join('')),
    element: fc
      .tuple(
        fc.constantFrom(
          'g',
          'title',
          'desc',
          'foreignObject',
          'style',
          'script',
          'mi',
          'mtext',
          'annotation-xml',
          'svg',
          'math',
          'template',
        ),
        fc.constantFrom('', ' encoding="text/html"', ' encoding=x'),
        tie('content'),
      )
      .map(([tag, attributes, inner]) => `<${tag}${attributes}>${inner}</${tag}>`),
  }));
  const cdata = fc.constantFrom('', '', '<![CDATA[<a href=8>]]>');
  return fc
    .tuple(fc.constantFrom('svg', 'math'), cdata, content)
    .map(([tag, text, inner]) => `<${tag}>${text}${inner as string}</${tag}>`);
}
