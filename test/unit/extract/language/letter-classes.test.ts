import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { FIRST_SCRIPT, JOINER, letterClasses } from '../../../../src/extract/language/letter-classes.ts';
import { unicodeClasses } from '../../../../tools/build-language-model/unicode-classes.ts';

const { of, count, language } = letterClasses();

describe('letter classes', () => {
  test('the table is what Unicode says', () => {
    const platform = unicodeClasses();
    const path = '../../../../src/extract/language/letter-classes.json';
    const { unicode } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { unicode: string };
    // Another Unicode has other letters, but those that both know are the same.
    const differing = Array.from(of.keys()).filter(
      (unit) =>
        of[unit] !== platform[unit] && (unicode === process.versions.unicode || (of[unit] > 0 && platform[unit] > 0)),
    );
    assert.deepEqual(differing, []);
    assert.ok(of.filter((one) => one >= FIRST_SCRIPT).length > 40_000);
  });

  test('letters, what joins them, and what lies between words', () => {
    const classOf = (char: string): number => of[char.charCodeAt(0)];
    assert.deepEqual(
      Array.from('aéяاअ', classOf),
      [0, 0, 1, 2, 3].map((script) => FIRST_SCRIPT + script),
    );
    assert.deepEqual(Array.from("'’\u0301", classOf), [JOINER, JOINER, JOINER]);
    assert.deepEqual(Array.from(' 1-\ud83d', classOf), [0, 0, 0, 0]);
    assert.deepEqual(
      Array.from('ελ中あ가', (char) => language[classOf(char)]),
      ['el', 'el', 'zh', 'ja', 'ko'],
    );
    assert.equal(language.length, count);
  });
});
