import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import { ANY_LANGUAGE } from '../../../../src/index/analysis/likely-languages.ts';

const { analyzeQuery, termsOf } = createAnalyzer();

/** Alternatives per word; * marks stop words. */
function read(text: string, language?: string, among?: readonly string[]): string[] {
  return analyzeQuery(text, language, among).map(({ terms, stop }) => terms.join('|') + (stop ? '*' : ''));
}

test('English questions: stems, and stop words marked', () => {
  assert.deepEqual(read('What is the meaning of life?'), ['what*', 'is*', 'the*', 'mean', 'of*', 'life']);
});

test('capitals tell a name from a stop word, but not where all is in capitals', () => {
  assert.deepEqual(read('IT jobs'), ['it', 'job']);
  assert.deepEqual(read('JOBS IN IT'), ['job', 'in*', 'it*']);
});

test('the language of a query shows in its stop words and letters', () => {
  assert.deepEqual(read('die Häuser der Stadt'), ['die', 'haus', 'der*', 'stadt']);
  assert.deepEqual(read('les chevaux de la ferme').slice(1, 2), ['cheval']);
  assert.ok(analyzeQuery('Häuser', undefined)[0]?.terms.includes('haus'));
  assert.ok(analyzeQuery('книгами', undefined)[0]?.terms.includes('книг'));
});

test('the languages of the documents widen the guess, or narrow it', () => {
  assert.deepEqual(read('kinder'), ['kinder']);
  assert.deepEqual(read('kinder', undefined, ['en', 'de']), ['kinder|kind']);
  assert.deepEqual(read('kinder', undefined, ['de']), ['kind']);
  assert.deepEqual(read('kinder', 'de', ['en']), ['kind']);
});

test('a joined word is found in one and in parts', () => {
  const parts = analyzeQuery('non-linear', 'en');
  assert.deepEqual(
    parts.map(({ terms }) => terms),
    [
      ['non', 'nonlinear'],
      ['linear', 'nonlinear'],
    ],
  );
  assert.deepEqual(
    parts.map(({ whole }) => whole),
    [['nonlinear'], ['nonlinear']],
  );
  assert.deepEqual(
    parts.map(({ position }) => position),
    [0, 1],
  );
  assert.equal(analyzeQuery('non-linear model', 'en')[2]?.whole, undefined);
});

test('names with signs, addresses and identifiers are asked for as they stand', () => {
  assert.deepEqual(read('C++ .NET me@example.com getElementById', 'en'), [
    'c++',
    '.net',
    'me@example.com',
    'getelementbyid',
  ]);
});

test('a name or flag is asked for with its signs, too', () => {
  const verbatims = (text: string) => analyzeQuery(text, 'en').map(({ verbatim }) => verbatim);
  const name = { term: 'select_related', words: 2 };
  assert.deepEqual(verbatims('use Select_Related'), [undefined, name, undefined]);
  assert.deepEqual(verbatims('models.select_related'), [undefined, name, undefined]);
  assert.deepEqual(verbatims('__init__ --onto'), [
    { term: '__init__', words: 1 },
    { term: '--onto', words: 1 },
  ]);
  assert.deepEqual(verbatims('select related-to'), [undefined, undefined, undefined]);
});

test('a run of Han is a row of pairs; a single character stands for all that begins with it', () => {
  assert.deepEqual(read('東京都'), ['東京', '京都']);
  assert.deepEqual(analyzeQuery('猫', undefined), [
    { text: '猫', terms: ['猫'], forms: [0], stop: false, position: 0, prefix: true },
  ]);
});

test('the text is folded, not stemmed', () => {
  assert.deepEqual(
    analyzeQuery('Éditions', 'fr').map(({ text, terms }) => [text, ...terms]),
    [['editions', 'edition']],
  );
});

test('with any language among them words are looked for in more ways, and in no fewer', () => {
  const word = fc.constantFrom(
    'gatti',
    'houses',
    'Häuser',
    'the',
    'of',
    'chevaux',
    'die',
    'casas',
    'kissat',
    'hedgehogs',
  );
  const tags = fc.uniqueArray(fc.constantFrom('en', 'de', 'fr', 'es', 'it', 'pt', 'fi', 'pl', 'sv'), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), tags, (words, among) => {
      const narrow = analyzeQuery(words.join(' '), undefined, among);
      const wide = analyzeQuery(words.join(' '), undefined, [...ANY_LANGUAGE, ...among]);
      for (const [at, { text, terms }] of narrow.entries()) {
        // Without documents of a known language the guess is all there is.
        const wanted = among.length === 0 ? [text] : [text, ...terms];
        for (const term of wanted) assert.ok(wide[at]?.terms.includes(term), `${term} of ${wide[at]?.terms}`);
      }
    }),
  );
});

test('nothing to look for', () => {
  assert.deepEqual(analyzeQuery(' …?! ', undefined), []);
});

test('the terms of a text are those of its query terms, one plain word or not', () => {
  const words = [
    'houses',
    'Houses',
    'haüser',
    'книгами',
    'c++',
    'state-of-the-art',
    'camelCase',
    'x86',
    '東京',
    '²',
    '́a',
    '',
  ];
  const isSame = (text: string, language: string): void =>
    assert.deepEqual(
      termsOf(text, language),
      analyzeQuery(text, language).flatMap(({ terms, forms }) => terms.map((term, at) => ({ term, form: forms[at] }))),
    );
  for (const word of words) for (const language of ['', 'en', 'de', 'ru', 'xx']) isSame(word, language);
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => isSame(text, 'en')));
});
