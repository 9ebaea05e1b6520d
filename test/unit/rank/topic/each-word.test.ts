import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachWord } from '../../../../src/rank/topic/each-word.ts';

function hashes(text: string, limit = 1000): number[] {
  const found: number[] = [];
  eachWord(text, limit, (hash) => found.push(hash));
  return found;
}

function words(text: string): string[] {
  const found: string[] = [];
  eachWord(text, 1000, (_, from, to) => found.push(text.slice(from, to)));
  return found;
}

test('words are letters and digits of any script; single letters are none', () => {
  assert.deepEqual(words("The spider's web, 42 silks – паук ﺷﺒﻜﺔ!"), [
    'The',
    'spider',
    'web',
    '42',
    'silks',
    'паук',
    'ﺷﺒﻜﺔ',
  ]);
  assert.deepEqual(words(' - . '), []);
});

test('case, accents and their two spellings make no difference', () => {
  assert.deepEqual(hashes('ÉTUDE Große ΑΘΗΝΑ'), hashes('etude große αθηνα'));
  assert.deepEqual(hashes('café'.normalize('NFD')), hashes('café'.normalize('NFC')));
});

test('plurals are the word itself, and other endings stay', () => {
  assert.deepEqual(hashes('spiders bodies boxes quizzes'), hashes('spider body box quizz'));
  for (const word of ['glass', 'virus', 'analysis', 'gas'])
    assert.notDeepEqual(hashes(word), hashes(word.slice(0, -1)));
});

test('scripts without spaces are read by pairs', () => {
  assert.deepEqual(words('蜘蛛の巣 web'), ['蜘蛛', '蛛の', 'の巣', 'web']);
  assert.deepEqual(words('web蜘蛛'), ['web', '蜘蛛']);
});

test('humps of a name are words too, and so are neighbouring ones together', () => {
  assert.deepEqual(hashes('WebGLContext').slice(1), hashes('web webgl gl glcontext context'));
  assert.deepEqual(hashes('WebGL').slice(1), hashes('web gl'));
  assert.deepEqual(hashes('NASA'), hashes('nasa'));
});

test('no more words than asked for', () => {
  assert.equal(hashes('a1 b2 c3 d4', 2).length, 2);
  assert.ok(hashes('oneTwoThreeFour', 3).length <= 3);
});

test('any text can be read, in one go and with the two low bits free', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { maxLength: 60 }), (codes) => {
      const text = String.fromCharCode(...codes);
      for (const hash of hashes(text))
        assert.ok(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32 && (hash & 3) === 0);
      assert.deepEqual(hashes(text), hashes(`${text} `));
    }),
  );
});
