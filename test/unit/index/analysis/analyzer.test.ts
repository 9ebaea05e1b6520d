import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';

const analyzer = createAnalyzer();

/** term@position, in order. */
function terms(text: string, language = 'en'): string {
  const out: string[] = [];
  analyzer.analyze(text, language, (term, position) => out.push(`${term}@${position}`));
  return out.join(' ');
}

const CASES: readonly (readonly [what: string, text: string, expected: string, language?: string])[] = [
  ['case and stems', 'The Quick foxes RUNNING', 'the@0 quick@1 fox@2 run@3'],
  ['contractions, whole and in parts', "don't panic", 'don@0 dont@0 t@1 panic@2'],
  ['possessives as the word', 'John’s car', 'john@0 car@1'],
  ['hyphens, whole and in parts', 'state-of-the-art idea', 'state@0 stateoftheart@0 of@1 the@2 art@3 idea@4'],
  ['a letter and a hyphen at one place', 'an e-mail address', 'an@0 e@1 email@1 mail@1 address@2'],
  ['elision', "l'avion", 'l@0 lavion@0 avion@1', 'fr'],
  ['acronyms', 'U.S.A. today', 'usa@0 today@1'],
  ['a sentence without a space', 'the end.Start here', 'the@0 end@1 start@2 here@3'],
  ['addresses', 'to john.doe@example.com now', 'to@0 john.doe@example.com@1 john@1 doe@2 exampl@3 com@4 now@5'],
  ['names of languages', 'C++, C# and .NET', 'c++@0 c@0 c#@1 c@1 and@2 .net@3 net@3'],
  ['plus signs that sum', 'a+b c++d', 'a@0 b@1 c@2 d@3'],
  ['versions and numbers', 'v1.2.3 is 1,000.5', '1.2.3@0 is@1 1000.5@2'],
  ['a list of numbers', '1,2 and 3', '1@0 2@1 and@2 3@3'],
  ['snake_case', 'my_long_name', 'my_long_name@0 my@0 mylongnam@0 long@1 name@2'],
  ['a name among others', 'a.my_name', 'a@0 amynam@0 my_name@1 my@1 name@2'],
  ['underscores around', '__init__.py _x', '__init__@0 init@0 initpi@0 py@1 _x@2 x@2'],
  ['two underscores', 'model__field', 'model__field@0 model@0 modelfield@0 field@1'],
  ['lines to write on', 'Name ____me____ 1_000', 'name@0 me@1 1@2 1000@2 000@3'],
  ['flags', 'git --no-edit (--all) a--b ---c', 'git@0 --no-edit@1 no@1 noedit@1 edit@2 --all@3 all@3 a@4 b@5 c@6'],
  ['camelCase', 'getElementById', 'getelementbyid@0 get@0 element@0 by@0 id@0'],
  ['capitals within', 'an iPhone XMLHttpRequest', 'an@0 iphon@1 phone@1 xmlhttprequest@2 xml@2 http@2 request@2'],
  ['dates', '2024-01-15', '2024@0 20240115@0 01@1 15@2'],
  ['accents', 'Café naïve Ångström', 'cafe@0 naiv@1 angstrom@2'],
  ['decomposed accents', 'Cafe\u0301', 'cafe@0'],
  ['letters of their own', 'Straße Æsir smørrebrød Łódź', 'strasse@0 aesir@1 smorrebrod@2 lodz@3', 'xx'],
  ['the Turkish i', 'İstanbul ILIK ılık', 'istanbul@0 ilik@1 ilik@2', 'xx'],
  ['Arabic vowel points', 'مُحَمَّد أحمد مدرسة', 'محمد@0 احمد@1 مدرسه@2', 'ar'],
  ['Hebrew vowel points', 'שָׁלוֹם', 'שלום@0', 'he'],
  ['Greek', 'Ἀθῆναι ΟΔΟΣ οδός', 'αθηναι@0 οδοσ@1 οδοσ@2', 'el'],
  ['й in both spellings', 'йод и\u0306од', 'йод@0 йод@1', 'xx'],
  ['digits of other scripts', '٣٤ ４２', '34@0 42@1', 'xx'],
  ['Han in pairs', '東京都', '東京@0 京都@1 都@2', 'ja'],
  ['kana of half width', 'ｶﾞｽ', 'ガス@0 ス@1', 'ja'],
  ['Hangul', '한국어 책', '한국@0 국어@1 어@2 책@3', 'ko'],
  ['Thai', 'ไทย', 'ไท@0 ทย@1 ย@2', 'th'],
  ['Han beyond the basic plane', '𠮷野家', '𠮷野@0 野家@1 家@2', 'ja'],
  ['scripts side by side', 'iOS版は', 'ios@0 os@0 版は@1 は@2', 'ja'],
  ['Indic vowel signs', 'हिन्दी', 'हिन्दी@0', 'hi'],
  ['invisible characters', 'co\u00adoperate', 'cooper@0'],
  ['signs alone', '— … 😀 👩‍🚀 --- \ud800 \u0301', ''],
  ['styled letters', '𝐇ello', 'hello@0', 'xx'],
  ['no language: English where plain', 'foxes Füchse', 'fox@0 fuchse@1', ''],
  ['German', 'die Häuser', 'die@0 haus@1', 'de'],
];

for (const [what, text, expected, language] of CASES) {
  test(`terms: ${what}`, () => assert.equal(terms(text, language), expected));
}

test('positions never fall, terms are short and never empty, spans lie in the text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('a', 'Bc', '9', "'", '-', '.', '@', '_', ',', '&', '+', '#', ' ', '東', 'é'))
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom('', 'en', 'de', 'ru', 'ja'), (text, language) => {
      let last = 0;
      const length = analyzer.analyzeSpans(text, language, (term, position, start, end) => {
        assert.ok(term.length > 0 && term.length <= 80, JSON.stringify(term));
        assert.ok(position >= last && position <= last + 12);
        assert.ok(start >= 0 && start < end && end <= text.length);
        last = position;
      });
      assert.ok(length === 0 || length > last);
    }),
    { numRuns: 60 },
  );
});

test('a query of the words of a text asks for terms of the text, at the same distances', () => {
  const words = fc.constantFrom(
    'state-of-the-art',
    "don't",
    'e-mail',
    'C++',
    '.NET',
    'snake_case',
    'iPhone',
    'running',
    '東京都',
    'x@y.org',
    'v1.2.3',
    'Café',
  );
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (picked) => {
      const text = picked.join(' ');
      const places = new Set(terms(text).split(' '));
      for (const { terms: asked, position } of analyzer.analyzeQuery(text, 'en'))
        assert.ok(
          asked.some((term) => places.has(`${term}@${position}`)),
          `${asked} at ${position}`,
        );
    }),
  );
});

test('a long run without spaces is cut, not kept', () => {
  const seen: string[] = [];
  analyzer.analyze('x'.repeat(100_000), 'en', (term) => seen.push(term));
  assert.deepEqual(seen, ['x'.repeat(64)]);
});
