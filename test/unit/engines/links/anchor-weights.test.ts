import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { speaksOfItsTarget } from '../../../../src/engines/links/anchor-phrases.ts';
import { AnchorWeights } from '../../../../src/engines/links/anchor-weights.ts';
import { ENTRY_HEAD, NOFOLLOW, SAME_HOST, writeEntry } from '../../../../src/engines/links/link-entry.ts';

interface Said {
  readonly text: string;
  readonly host?: number;
  readonly flags?: number;
  readonly times?: number;
}

function weigh(said: readonly Said[], limit = 10): Record<string, number> {
  const weights = new AnchorWeights();
  for (const { text, host = 1, flags = 0, times = 1 } of said) {
    for (let visit = 1; visit <= times; visit++) {
      const written = Buffer.from(text);
      const bytes = Buffer.alloc(ENTRY_HEAD + written.length);
      writeEntry(bytes, 0, { visit, host, flags }, written, 0, written.length);
      weights.add(bytes, 0);
    }
  }
  return Object.fromEntries(weights.best(limit).map(({ text, weight }) => [text, Number(weight.toFixed(4))]));
}

describe('what anchor texts are worth', () => {
  test('another host is worth more than the same, and that more than nofollow', () => {
    const weights = weigh([
      { text: 'others' },
      { text: 'own', flags: SAME_HOST },
      { text: 'unendorsed', flags: NOFOLLOW },
      { text: 'own unendorsed', flags: NOFOLLOW | SAME_HOST },
    ]);
    assert.deepEqual(weights, { others: 1, own: 0.4, unendorsed: 0.1, 'own unendorsed': 0.1 });
  });

  test('many pages of one host count with the logarithm, many hosts in full', () => {
    assert.deepEqual(weigh([{ text: 'Orb', times: 100 }]), { Orb: Number((1 + Math.log(100)).toFixed(4)) });
    assert.deepEqual(weigh(Array.from({ length: 100 }, (_, host) => ({ text: 'Orb', host }))), { Orb: 100 });
  });

  test('upper and lower case are one text, empty ones none', () => {
    const said = [{ text: 'home of spiders' }, { text: 'Home of Spiders', host: 2 }, { text: '' }];
    assert.deepEqual(weigh(said), { 'Home of Spiders': 2 });
    assert.deepEqual(weigh(said.reverse()), { 'Home of Spiders': 2 });
  });

  test('words that say nothing count for a tenth, and the limit keeps the best', () => {
    const said = [
      { text: 'Click here', times: 50 },
      { text: 'Garden spiders', flags: SAME_HOST },
      { text: 'https://a.test/x' },
    ];
    assert.deepEqual(weigh(said, 2), {
      'Click here': Number(((1 + Math.log(50)) / 10).toFixed(4)),
      'Garden spiders': 0.4,
    });
  });
});

describe('speaksOfItsTarget', () => {
  for (const text of [
    'click here',
    '» read more …',
    '[more]',
    'here',
    'link',
    'mehr erfahren',
    'weiterlesen…',
    'en savoir plus',
    'leer más',
    'leggi tutto',
    'подробнее',
    '続きを読む',
    '更多',
    '더보기',
    'اقرأ المزيد',
    'https://example.org/a?b',
    'www.example.org',
    'example.org/path/page.html',
    '42',
    '→',
    '',
  ]) {
    test(`${JSON.stringify(text)} does not`, () => assert.equal(speaksOfItsTarget(text), false));
  }

  for (const text of ['garden spiders', 'node.js', 'read more books', '蜘蛛', 'hereford', 'c++', 'यहाँ का इतिहास']) {
    test(`${JSON.stringify(text)} does`, () => assert.equal(speaksOfItsTarget(text), true));
  }
});
