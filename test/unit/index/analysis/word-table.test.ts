import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CodeUnits } from '../../../../src/base/code-units.ts';
import type { TermOfWord } from '../../../../src/index/analysis/word-forms.ts';
import { WordTable } from '../../../../src/index/analysis/word-table.ts';

/** Makes a term that tells how many were made before. */
function numbering(): (word: string) => TermOfWord {
  let made = 0;
  return (word) => ({ term: `${word}${++made}`, form: made % 3 });
}

test('a word is made once while it is remembered', () => {
  const words = new WordTable(numbering());
  const termOf = (word: string): string => words.term(words.of(word));
  assert.equal(termOf('word'), 'word1');
  assert.equal(termOf('word'), 'word1');
  assert.equal(termOf('a-word-of-many-letters'), 'a-word-of-many-letters2');
  assert.equal(termOf('a-word-of-many-letters'), 'a-word-of-many-letters2');
  assert.equal(termOf('паук'), 'паук3');
  assert.equal(termOf('паук'), 'паук3');
  assert.equal(words.form(words.of('word')), 1);
  assert.equal(words.form(words.of('паук')), 0);
});

test('a word in a text is the same as the word alone', () => {
  const words = new WordTable(numbering());
  const text = 'one word of many';
  assert.equal(words.term(words.find(text, unitsOf(text), 4, 8)), 'word1');
  assert.equal(words.term(words.of('word')), 'word1');
  assert.equal(words.term(words.find(text, unitsOf(text), 0, 3)), 'one2');
});

test('words of few letters are told apart, however many there are', () => {
  // All of them share four places.
  const words = new WordTable((word) => ({ term: word.toUpperCase(), form: 0 }), 4);
  const letter = fc.constantFrom('a', 'b', '\u00e9', '\u0430', '\u0161', '\0', 'x'.repeat(20));
  fc.assert(
    fc.property(fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 20 })), (asked) => {
      for (const word of [...asked, ...asked])
        assert.equal(words.term(words.find(word, unitsOf(word), 0, word.length)), word.toUpperCase());
    }),
  );
});

test('no more words are remembered than were asked for, and all of them as long as there is room', () => {
  const made: string[] = [];
  const words = new WordTable((word) => {
    made.push(word);
    return { term: word, form: 0 };
  }, 4096);
  const few = Array.from({ length: 700 }, (_, at) => `word${at}`);
  for (let pass = 0; pass < 3; pass++) for (const word of few) assert.equal(words.term(words.of(word)), word);
  // A few share their places with four others.
  assert.ok(made.length < 750, String(made.length));
  for (let at = 0; at < 10_000; at++) words.of(`flood${at}`);
  made.length = 0;
  for (let at = 0; at < 10_000; at++) words.of(`flood${at}`);
  assert.ok(made.length >= 10_000 - 4096, String(made.length));
});

test('what an owner notes of a word stays while the table grows, and is nobody else’s', () => {
  const words = new WordTable(numbering());
  const [one, two] = [words.newOwner(), words.newOwner()];
  words.note(words.of('word'), one, 42);
  for (let at = 0; at < 1000; at++) words.note(words.of(`other${at}`), two, at);
  assert.equal(words.noted(words.of('word'), one), 42);
  assert.equal(words.noted(words.of('word'), two), -1);
  assert.equal(words.noted(words.of('other7'), two), 7);
  assert.equal(words.noted(words.of('new'), two), -1);
});

test('a word that takes the place of another knows nothing of its notes', () => {
  const words = new WordTable(numbering(), 4);
  const owner = words.newOwner();
  for (let at = 0; at < 100; at++) {
    const place = words.of(`word${at}`);
    assert.equal(words.noted(place, owner), -1);
    words.note(place, owner, at);
  }
});

function unitsOf(text: string): Uint16Array {
  return new CodeUnits().of(text);
}
