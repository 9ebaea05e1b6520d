import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { pageDirectives } from '../../../src/base/robots-directives.ts';
import type { PageDirectives } from '../../../src/contracts/content/page.ts';
import { corpus, skipWithout } from '../../corpora.ts';

/** The declared type proves that what base makes is what the contract asks for. */
function fromMeta(...metaRobots: [string, string][]): PageDirectives {
  return pageDirectives({ agent: 'Orbweaver', metaRobots, xRobotsTag: [] });
}

function fromHeaders(...xRobotsTag: string[]): PageDirectives {
  return pageDirectives({ agent: 'Orbweaver', metaRobots: [], xRobotsTag });
}

/** i, f, a, s: what is allowed of index, follow, archive, snippet. */
function letters({ index, follow, archive, snippet }: PageDirectives): string {
  return `${index ? 'i' : ''}${follow ? 'f' : ''}${archive ? 'a' : ''}${snippet ? 's' : ''}`;
}

test('who has two names hears both', () => {
  const metaRobots = [
    ['bot-news', 'nofollow'],
    ['bot', 'noindex'],
    ['other', 'noarchive'],
  ] as const;
  const { index, follow, archive } = pageDirectives({ agent: 'Bot-News,Bot', metaRobots, xRobotsTag: [] });
  assert.deepEqual([index, follow, archive], [false, false, true]);
  const header = pageDirectives({
    agent: 'Bot-News,Bot',
    metaRobots: [],
    xRobotsTag: ['bot: nosnippet', 'other: noindex'],
  });
  assert.deepEqual([header.index, header.snippet], [true, false]);
});

describe('pageDirectives: META robots', () => {
  test('nothing said allows everything', () => {
    assert.deepEqual(fromMeta(), { index: true, follow: true, archive: true, snippet: true, said: [] });
  });

  test('each directive takes its own away', () => {
    const cases: [string, string][] = [
      ['', 'ifas'],
      ['all', 'ifas'],
      ['index,follow', 'ifas'],
      ['noindex', 'fas'],
      ['NoIndex , NOFOLLOW', 'as'],
      ['none', 'as'],
      ['noarchive', 'ifs'],
      ['nocache', 'ifs'],
      ['nosnippet', 'ifa'],
      ['max-snippet:0', 'ifa'],
      ['max-snippet: 0, noindex', 'fa'],
      ['max-snippet:-1', 'ifas'],
      ['max-snippet:100, max-image-preview:none, max-video-preview:0', 'ifas'],
      ['noindex, indexifembedded', 'fas'],
      ['noindex nofollow', 'as'],
      ['noindex;nofollow', 'as'],
      ['"noindex"', 'fas'],
      ['noindex:', 'fas'],
      ['noindexing, xnofollow', 'ifas'],
      ['constructor, __proto__, toString', 'ifas'],
    ];
    for (const [content, expected] of cases) assert.equal(letters(fromMeta(['robots', content])), expected, content);
  });

  test('the strictest of all that address us, in any order', () => {
    assert.equal(letters(fromMeta(['robots', 'noindex'], ['ROBOTS', 'index, nofollow'])), 'as');
    assert.equal(letters(fromMeta(['robots', 'noindex'], ['orbweaver', 'index, noarchive'])), 'fs');
    assert.equal(letters(fromMeta([' OrbWeaver ', 'none'])), 'as');
    assert.equal(letters(fromMeta(['googlebot', 'none'], ['description', 'noindex'])), 'ifas');
  });

  test('what was said is kept, and only what was said to us', () => {
    const { said } = fromMeta(
      ['robots', ' noindex '],
      ['googlebot', 'none'],
      ['robots', ''],
      ['robots', 'x'.repeat(999)],
    );
    assert.deepEqual(said.slice(0, 1), ['META robots: noindex']);
    assert.equal(said.length, 2);
    assert.ok(said[1].length < 250);
  });

  test('the cases of the public suite', { skip: skipWithout('html') }, () => {
    const file = readFileSync(join(corpus('html') as string, 'meta-robots.json'), 'utf8');
    const { cases } = JSON.parse(file) as { cases: { html: string; noindex: boolean; nofollow: boolean }[] };
    assert.equal(cases.length, 9);
    for (const { html, noindex, nofollow } of cases) {
      // The third value of each case is Pragma: no-cache, which is not a directive to robots.
      const { index, follow } = fromMeta(...metaTags(html));
      assert.deepEqual({ noindex: !index, nofollow: !follow }, { noindex, nofollow }, html);
    }
  });
});

describe('pageDirectives: X-Robots-Tag', () => {
  test('without a name it is for everybody, with one until the next name or the end of the field', () => {
    const cases: [string[], string][] = [
      [['noindex'], 'fas'],
      [['noindex', 'nofollow'], 'as'],
      [['googlebot: noindex, nofollow'], 'ifas'],
      [['googlebot: noindex', 'nofollow'], 'ias'],
      [['orbweaver: noindex, nofollow'], 'as'],
      [['ORBWEAVER : none'], 'as'],
      [['badbot: noindex, nofollow, orbweaver: noarchive'], 'ifs'],
      [['noarchive, badbot: noindex'], 'ifs'],
      [['badbot: none, robots: nosnippet'], 'ifa'],
      [['*: noindex'], 'fas'],
      [['badbot: max-snippet:0'], 'ifas'],
      [['orbweaver: max-snippet:0, noindex'], 'fa'],
      [['noindex: nofollow'], 'as'],
      [[': noindex'], 'fas'],
      [[''], 'ifas'],
    ];
    for (const [values, expected] of cases) assert.equal(letters(fromHeaders(...values)), expected, values.join(' | '));
  });

  test('META and headers count together', () => {
    const found = pageDirectives({
      agent: 'orbweaver',
      metaRobots: [['robots', 'nofollow']],
      xRobotsTag: ['badbot: none', 'orbweaver: noarchive'],
    });
    assert.equal(letters(found), 'is');
    assert.deepEqual(found.said, ['META robots: nofollow', 'X-Robots-Tag: orbweaver: noarchive']);
  });
});

describe('pageDirectives: unavailable_after', () => {
  test('every form of date, with more directives around it', () => {
    const dates: [string, string | undefined][] = [
      ['25 Jun 2030 15:00:00 PST', '2030-06-25T23:00:00Z'],
      ['25-Aug-2027 15:00:00 EST', '2027-08-25T20:00:00Z'],
      ['Tue, 25 Jun 2030 15:00:00 GMT', '2030-06-25T15:00:00Z'],
      ['Tuesday, 25-Jun-30 15:00:00 UTC', '2030-06-25T15:00:00Z'],
      ['Saturday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
      ['Tue Jun 25 15:00:00 2030', '2030-06-25T15:00:00Z'],
      ['Tue Jun  5 15:00:00 2030', '2030-06-05T15:00:00Z'],
      ['5 September 2030 15:00 PDT', '2030-09-05T22:00:00Z'],
      ['25 Jun 2030 15:00:00 +0200', '2030-06-25T13:00:00Z'],
      ['25 Jun 2030', '2030-06-25T00:00:00Z'],
      ['2030-06-25', '2030-06-25T00:00:00Z'],
      ['2030-06-25T15:00:00+02:00', '2030-06-25T13:00:00Z'],
      ['2030-06-25T15:00:00.123Z', '2030-06-25T15:00:00Z'],
      ['2030-06-25 15:00', '2030-06-25T15:00:00Z'],
      ['2030-06-25 15:00:00 EDT', '2030-06-25T19:00:00Z'],
      ['31 Jun 2030 15:00:00 GMT', undefined],
      ['2030-13-01', undefined],
      ['25 Foo 2030 15:00:00 GMT', undefined],
      ['25 Jun 2030 25:00:00 GMT', undefined],
      ['never', undefined],
      ['', undefined],
    ];
    for (const [date, iso] of dates) {
      const expected = iso === undefined ? undefined : Date.parse(iso);
      for (const found of [
        fromMeta(['robots', `unavailable_after: ${date}`]),
        fromMeta(['robots', `nofollow, unavailable_after:${date}, noindex`]),
        fromHeaders(`unavailable_after: ${date}, noindex`),
        fromHeaders(`orbweaver: Unavailable_After : ${date}`),
      ]) {
        assert.equal(found.unavailableAfter, expected, date);
      }
      assert.equal(letters(fromMeta(['robots', `nofollow, unavailable_after: ${date}, noindex`])), 'as', date);
      assert.equal(fromHeaders(`badbot: unavailable_after: ${date}`).unavailableAfter, undefined);
    }
  });

  test('the earliest counts', () => {
    const found = fromMeta(
      ['robots', 'unavailable_after: 2031-01-01, unavailable_after: 2030-01-01'],
      ['robots', 'unavailable_after: 2032-01-01'],
    );
    assert.equal(found.unavailableAfter, Date.UTC(2030, 0, 1));
  });
});

test('pageDirectives: never throws, and more text never allows more', () => {
  const word = fc.constantFrom(
    'noindex',
    'nofollow',
    'none',
    'all',
    ',',
    ':',
    ' ',
    'unavailable_after',
    '2030-01-01',
    'max-snippet',
    '0',
    'bot',
    'orbweaver',
    ';',
  );
  const text = fc.string({ unit: fc.oneof(word, fc.string({ unit: 'binary', maxLength: 2 })), maxLength: 12 });
  fc.assert(
    fc.property(text, text, text, (first, second, name) => {
      const one = pageDirectives({ agent: 'orbweaver', metaRobots: [[name, first]], xRobotsTag: [first] });
      const two = pageDirectives({ agent: 'orbweaver', metaRobots: [[name, first]], xRobotsTag: [first, second] });
      for (const key of ['index', 'follow', 'archive', 'snippet'] as const) assert.ok(one[key] || !two[key]);
    }),
    { numRuns: 1000 },
  );
});

function metaTags(html: string): [string, string][] {
  const found: [string, string][] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node && node.tagName === 'meta') {
      const attribute = (name: string) => node.attrs.find((each) => each.name === name)?.value ?? '';
      if (attribute('name') !== '') found.push([attribute('name'), attribute('content')]);
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return found;
}
