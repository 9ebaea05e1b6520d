import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Glob } from '../../../src/scope/glob.ts';

test('globs', () => {
  const cases: [string, string[], string[]][] = [
    ['*/calendar/*', ['https://a.test/x/calendar/2024', 'https://a.test/calendar/'], ['https://a.test/calendar']],
    ['a*b*c', ['abc', 'a--b--c', 'abcbc'], ['ac', 'abcd', 'xabc']],
    ['*', ['', 'x'], []],
    ['a**b', ['ab', 'axxb'], ['a']],
    ['a?c', ['abc', 'a?c'], ['ac', 'abbc']],
    ['*?b', ['ab', 'xxb'], ['b']],
    ['a\\*b', ['a*b'], ['axb']],
    ['a\\?*', ['a?x'], ['abx']],
    ['', [''], ['x']],
    ['ab*ba', ['abba', 'abxba'], ['aba']],
  ];
  for (const [pattern, matching, others] of cases) {
    const glob = new Glob(pattern);
    for (const text of matching) assert.equal(glob.matches(text), true, `${pattern} on ${text}`);
    for (const text of others) assert.equal(glob.matches(text), false, `${pattern} on ${text}`);
  }
});

test('a glob can begin further on in the text', () => {
  assert.equal(new Glob('b*').matches('abc', 1), true);
  assert.equal(new Glob('b*').matches('abc', 0), false);
  assert.equal(new Glob('bc').matches('abc', 1), true);
});

/** Straight from the definition, with every choice tried. */
function naive(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const [first, rest] = [pattern[0], pattern.slice(1)];
  if (first === '*') return naive(rest, text) || (text !== '' && naive(pattern, text.slice(1)));
  if (text === '') return false;
  if (first === '?') return naive(rest, text.slice(1));
  if (first === '\\' && rest !== '') return rest[0] === text[0] && naive(rest.slice(1), text.slice(1));
  return first === text[0] && naive(rest, text.slice(1));
}

test('same verdict as the definition', () => {
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '*', '?', '\\'), maxLength: 9 });
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?', '\\'), maxLength: 10 });
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 6 }), (pattern, subjects) => {
      const glob = new Glob(pattern);
      for (const text of subjects) {
        assert.equal(glob.matches(text), naive(pattern, text), `${pattern} on ${text}`);
        assert.equal(glob.matches(`xy${text}`, 2), naive(pattern, text), `${pattern} on ${text}, further on`);
      }
    }),
    { numRuns: 2000 },
  );
});
