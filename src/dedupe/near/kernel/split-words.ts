import {
  type AssembledFunction,
  type Code,
  i32,
  RETURN,
  WasmFunction,
  when,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { HIGH_FACTOR, HIGH_START, LOW_FACTOR, LOW_START } from '../text-scan.ts';
import { HIGH, KINDS, LENGTHS, LETTERS, LOW, STATE } from './memory-layout.ts';

/** What a character is to words, if not a letter of one. */
export const OUTSIDE_KIND = 1;
export const WHOLE_WORD = 2;
/** Only of characters that are handed in: a letter beyond the basic plane. */
export const LETTER = 3;
/** In a character that is handed in, its kind stands above its code. */
export const KIND_SHIFT = 24;

/**
 * Takes a character and then the units from `at` to `end` (addresses), and puts down the hashes and lengths of the words that end there.
 * Returns 0 at the end, otherwise the address behind a unit of which the caller has to find out what it is. The word under way stays in the
 * state. Behind the last unit there must be a 0.
 */
export type SplitWords = (at: number, end: number, character: number) => number;

export function splitWords(): AssembledFunction {
  const f = new WasmFunction();
  const at = f.param('i32');
  const end = f.param('i32');
  const character = f.param('i32');
  const [low, high, length, words, letters, kind, start] = Array.from({ length: 7 }, () => f.local('i32'));
  const n = i32.const;
  const state = [low, high, length, words, letters];

  const hashed = (hash: Code, factor: number): Code => i32.mul(i32.xor(hash, character.get), n(factor));
  const hashLetter: Code = [low.set(hashed(low.get, LOW_FACTOR)), high.set(hashed(high.get, HIGH_FACTOR))];
  const addWord = (lowHash: Code, highHash: Code, units: Code): Code => [
    i32.store(i32.shiftLeft(words.get, n(2)), lowHash, LOW),
    i32.store(i32.shiftLeft(words.get, n(2)), highHash, HIGH),
    i32.storeShort(i32.shiftLeft(words.get, n(1)), units, LENGTHS),
    words.set(i32.add(words.get, n(1))),
  ];
  const endWord: Code = [
    addWord(low.get, i32.xor(high.get, length.get), length.get),
    letters.set(i32.add(letters.get, length.get)),
    low.set(n(LOW_START)),
    high.set(n(HIGH_START)),
    length.set(n(0)),
  ];
  const addWholeWord: Code = [
    addWord(hashed(n(LOW_START), LOW_FACTOR), hashed(n(HIGH_START), HIGH_FACTOR), n(0)),
    letters.set(i32.add(letters.get, n(1))),
  ];
  const readLetters: Code = [
    start.set(at.get),
    whileDo(character.tee(i32.loadShort(twice(i32.loadShort(at.get)), LETTERS)), [hashLetter, advance(2)]),
    length.set(i32.add(length.get, i32.shiftRight(i32.sub(at.get, start.get), n(1)))),
  ];
  function twice(value: Code): Code {
    return i32.shiftLeft(value, n(1));
  }
  function advance(octets: number): Code {
    return at.set(i32.add(at.get, n(octets)));
  }
  const keepState = state.map((local, index) => i32.store(n(STATE + 4 * index), local.get));

  return f.with([
    state.map((local, index) => local.set(i32.load(n(STATE + 4 * index)))),
    kind.set(i32.shiftRight(character.get, n(KIND_SHIFT))),
    character.set(i32.and(character.get, n((1 << KIND_SHIFT) - 1))),
    whileDo(kind.get, [
      when(
        i32.equal(kind.get, n(LETTER)),
        [hashLetter, length.set(i32.add(length.get, n(1)))],
        [when(length.get, endWord), when(i32.equal(kind.get, n(WHOLE_WORD)), addWholeWord)],
      ),
      readLetters,
      when(i32.less(at.get, end.get), [], [keepState, n(0), RETURN]),
      character.set(i32.loadShort(at.get)),
      kind.set(i32.loadByte(character.get, KINDS)),
      advance(2),
    ]),
    keepState,
    at.get,
  ]);
}
