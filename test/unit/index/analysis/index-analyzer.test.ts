import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Analyzer, createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import { createIndexAnalyzer } from '../../../../src/index/analysis/index-analyzer.ts';

/** Every term with its position and form, as whoever indexes is told. */
function termsIn({ analyze }: Analyzer, text: string, language: string): string[] {
  const told: string[] = [];
  const alone = (): void => assert.fail('Words are remembered.');
  const used = analyze(text, language, alone, (words, places, count, position, offsets) => {
    for (let i = 0; i < count; i++) {
      const at = position + (offsets?.[places[i]] ?? i);
      told.push(`${words.term(places[i])} ${at} ${words.form(places[i])}`);
    }
  });
  return [...told, `${used} positions`];
}

/** Analyzed twice, for a word that is known takes another way than a new one. */
function assertSame(indexing: Analyzer, text: string, language = 'en'): void {
  const expected = termsIn(createAnalyzer(), text, language);
  assert.deepEqual(termsIn(indexing, text, language), expected);
  assert.deepEqual(termsIn(indexing, text, language), expected);
}

const word = fc.constantFrom(
  'a',
  'spider',
  'Indexes',
  'NASA',
  'getElementById',
  'x2',
  'I2D',
  '1000',
  'naïve',
  'дома',
  '東京都',
);
const long = fc.constantFrom('exactlysixteenab', 'seventeenletters1', 'y'.repeat(61), 'z'.repeat(64), 'w'.repeat(130));
const sign = fc.constantFrom(
  ..." \n\t.,-_'@&+#:;(\0\u007f\u0080\u00ad\u0301\u2019\u2014\ud83d\udd77\ud835\udc00\ud800",
);
const piece = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 1, arbitrary: long },
  { weight: 3, arbitrary: fc.constant(' ') },
  { weight: 2, arbitrary: sign },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);
const texts = fc.array(piece, { minLength: 20, maxLength: 300 }).map((pieces) => pieces.join(''));

test('words read many at once are those that are read one by one', () => {
  const indexing = createIndexAnalyzer();
  fc.assert(fc.property(texts, (text) => assertSame(indexing, text)));
});

test('so they are in ASCII of any kind', () => {
  const indexing = createIndexAnalyzer();
  const letter = fc.constantFrom(..."aZ5 .,-_'@&+#/0~@[`{");
  fc.assert(
    fc.property(fc.string({ unit: letter, minLength: 64, maxLength: 400 }), (text) => assertSame(indexing, text)),
  );
});

test('so they are in code units of any kind, with words between them', () => {
  const indexing = createIndexAnalyzer();
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => `word${String.fromCharCode(code)}word `);
  fc.assert(fc.property(fc.array(unit, { minLength: 10 }), (units) => assertSame(indexing, units.join(''))));
});

test('a text of any length is read to its end', () => {
  const indexing = createIndexAnalyzer();
  for (const length of [63, 64, 65, 127, 128, 129, 16_303, 16_304, 16_384, 16_385, 50_000]) {
    for (const text of ['word '.repeat(length).slice(0, length), 'x'.repeat(length), ' '.repeat(length)])
      assertSame(indexing, text);
  }
});

test('the words stay known while more and more of them come, in several languages', () => {
  const indexing = createIndexAnalyzer();
  const text = Array.from({ length: 40_000 }, (_, at) => `word${at} houses`).join(' ');
  for (const language of ['en', 'de', '', 'xx']) assertSame(indexing, text, language);
});

test('they are the same where more words come than are remembered', () => {
  const indexing = createIndexAnalyzer();
  const usual = 'the houses of the village '.repeat(5);
  const text = Array.from({ length: 80_000 }, (_, at) => `w${at}${at % 50 === 0 ? ` ${usual}` : ''}`).join(' ');
  assertSame(indexing, text);
});

test('a text that was left in the middle, and texts that are read in other ways, leave nothing behind', () => {
  const indexing = createIndexAnalyzer();
  const left = 'some words of the text, and no more '.repeat(100);
  fc.assert(
    fc.property(texts, fc.nat(600), fc.constantFrom('en', 'de', '', 'xx'), (text, most, language) => {
      const leave = (_words: unknown, _places: unknown, _count: number, position: number): void => {
        if (position >= most) throw new RangeError('left');
      };
      assert.throws(() => indexing.analyze(left + text + left, language, assert.fail, leave), RangeError);
      indexing.analyze(text, language, () => {});
      indexing.termsOf(text.slice(0, 40), language);
      assertSame(indexing, text, language);
    }),
    { numRuns: 40 },
  );
});

test('what is noted of a word is found when it is read again', () => {
  const { analyze } = createIndexAnalyzer();
  const noted: number[] = [];
  let owner = 0;
  for (let pass = 0; pass < 2; pass++) {
    analyze('spider '.repeat(20), 'en', assert.fail, (words, places, count) => {
      if (owner === 0) owner = words.owners.newOwner();
      for (let i = 0; i < count; i++) {
        noted.push(words.noted(places[i], owner));
        words.note(places[i], owner, 7);
      }
    });
  }
  assert.deepEqual(noted, [-1, ...Array<number>(39).fill(7)]);
});

test('what is noted of the words of a name is found when the name comes again, as long as nobody else has noted anything', () => {
  const { analyze } = createIndexAnalyzer();
  const read = (owner: number): (number | string)[] => {
    const noted: (number | string)[] = [];
    analyze('getElementById', 'en', assert.fail, (words, places, count) => {
      for (let i = 0; i < count; i++) {
        const known = words.noted(places[i], owner);
        noted.push(known === -1 ? words.term(places[i]) : known);
        words.note(places[i], owner, 10 * owner + i);
      }
    });
    return noted;
  };
  const terms = ['getelementbyid', 'get', 'element', 'by', 'id'];
  assert.deepEqual(read(1), terms);
  assert.deepEqual(read(1), [10, 11, 12, 13, 14]);
  assert.deepEqual(read(2), terms);
  assert.deepEqual(read(2), [20, 21, 22, 23, 24]);
  assert.deepEqual(read(1), terms);
});

test('names stay the same while more and more of them come', () => {
  const indexing = createIndexAnalyzer();
  const names = Array.from({ length: 9000 }, (_, at) => `aName${at}OfMany-${at % 7}`);
  for (let pass = 0; pass < 2; pass++) assertSame(indexing, names.join(' '));
});

test('so they are where more names come than are remembered, usual ones among them', () => {
  const usual = 'getElementById, java.util.List. toString ';
  const names = Array.from({ length: 70_000 }, (_, at) => `aN${at}${at % 50 === 0 ? ` ${usual}` : ''}`);
  assertSame(createIndexAnalyzer(), names.join(' '));
});

test('a sign behind a name is none of it, unless it tells what is in the name', () => {
  const indexing = createIndexAnalyzer();
  for (const name of [
    'getClass',
    'I2D',
    'JDK',
    'java.util.List',
    'a.I2D',
    '1,I2D',
    'U.S',
    'e.g',
    'foo_Bar',
    'C+',
    '1.2',
  ])
    for (const signs of [',', '.', '.,', ',.', '...', '._', '+,'])
      assertSame(indexing, `see ${name}${signs} and ${name} and (${name}${signs}) ${name}${signs}`);
});

test('a name at the end of a text is as long as any other', () => {
  const indexing = createIndexAnalyzer();
  for (let length = 46; length < 52; length++) {
    const name = `aB${'c'.repeat(length - 2)}`;
    for (const text of [name, `${name},`, `see ${name}.`, name]) assertSame(indexing, text);
  }
});

test('a name of more words than are remembered of one is read as any other text', () => {
  assertSame(createIndexAnalyzer(), 'aB-cD-eF-gH-iJ-kL-mN-oP '.repeat(10));
});
