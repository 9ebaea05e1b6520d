import {
  type AssembledFunction,
  type Code,
  doWhile,
  i32,
  type Local,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { i16x8, i32x4, v128 } from '../../../base/wasm/wasm-vectors.ts';
import { RUN_CHARACTERS, RUN_FACTOR, RUN_WEIGHT } from '../simhash-sums.ts';
import { FIRST_MIX, MOST_WEIGHT, SECOND_MIX } from '../text-scan.ts';
import { DIGITS, FOUR_HASHES, FOUR_WEIGHTS, LENGTHS, LOW, MOST_DIGITS, SUMS } from './memory-layout.ts';

/**
 * Mixes one half of the hashes of this many words, and adds the weights of the words up by bit, which puts down four sums for each of 32
 * bits. `half`: how far its hashes lie behind the low ones. Returns the weight of all words.
 */
export type SumWords = (words: number, half: number) => number;

/** Binary digits of the weight of a word. */
const WEIGHT_DIGITS = 4;
/** Digits of the sums that are kept at hand, and how many words of each lane they take. */
const NEAR_DIGITS = 8;
const WORDS_PER_ROUND = 31;
const BITS = 32;

/** As `mix` does for one. What is the same in each round stays in variables: the engine would make constants anew in each. */
export function mixer(f: WasmFunction): { readonly prepare: Code; mixFour(hashes: Local): Code } {
  const [first, second] = [f.local('v128'), f.local('v128')];
  const shifted = (hashes: Local, bits: number): Code =>
    hashes.set(v128.xor(hashes.get, i32x4.shiftRight(hashes.get, i32.const(bits))));
  return {
    prepare: [first.set(i32x4.all(FIRST_MIX)), second.set(i32x4.all(SECOND_MIX))],
    mixFour: (hashes) => [
      shifted(hashes, 16),
      hashes.set(i32x4.mul(hashes.get, first.get)),
      shifted(hashes, 13),
      hashes.set(i32x4.mul(hashes.get, second.get)),
      shifted(hashes, 16),
    ],
  };
}

/**
 * Four words at a time, one in each lane. The sums of all 32 bits are counted up at once, in binary: a vector holds one digit of them, and
 * what is carried from one digit to the next is found by a few instructions for all bits.
 */
export function sumWords(): AssembledFunction {
  const f = new WasmFunction();
  const [words, half] = [f.param('i32'), f.param('i32')];
  const locals = Array.from({ length: 8 }, () => f.local('i32'));
  const [at, end, last, weight, hash, before, place, bit] = locals;
  const [hashes, weights, total, carry, sum, added, ...digits] = Array.from({ length: 6 + NEAR_DIGITS }, () =>
    f.local('v128'),
  );
  const { prepare, mixFour } = mixer(f);
  const n = i32.const;
  const step = (by: number): Code => at.set(i32.add(at.get, n(by)));
  const twice = (address: Code): Code => i32.shiftLeft(address, n(1));
  const hashAt = (address: Code): Code => i32.add(half.get, twice(address));

  // Addresses count in octets of the lengths, of which there are two for a word.
  const mixScalar: Code = [
    ...[16, 13, 16].map((bits, index) => [
      hash.set(i32.xor(hash.get, i32.shiftRight(hash.get, n(bits)))),
      index === 2 ? [] : hash.set(i32.mul(hash.get, n(index === 0 ? FIRST_MIX : SECOND_MIX))),
    ]),
  ];
  const appendCharacters = (left: number): Code => [
    before.set(i32.sub(before.get, n(2))),
    when(
      i32.lessSigned(before.get, n(0)),
      [],
      when(i32.isZero(i32.loadShort(before.get, LENGTHS)), [
        hash.set(i32.add(i32.mul(hash.get, n(RUN_FACTOR)), i32.load(hashAt(before.get), LOW))),
        left > 1 ? appendCharacters(left - 1) : [],
      ]),
    ),
  ];
  const takeRun: Code = [
    weight.set(n(RUN_WEIGHT)),
    before.set(place.get),
    appendCharacters(RUN_CHARACTERS - 1),
    mixScalar,
  ];
  // Characters that are words by themselves are among them, or what is no word: behind the last.
  const takeOneByOne: Code = [0, 1, 2, 3].map((lane) => [
    place.set(i32.add(at.get, n(2 * lane))),
    weight.set(i32.loadShort(place.get, LENGTHS)),
    weight.set(select(i32.less(weight.get, n(MOST_WEIGHT)), weight.get, n(MOST_WEIGHT))),
    hash.set(i32.load(hashAt(place.get), LOW)),
    when(weight.get, [], when(i32.less(place.get, end.get), takeRun)),
    i32.store(n(0), hash.get, FOUR_HASHES + 4 * lane),
    i32.store(n(0), weight.get, FOUR_WEIGHTS + 4 * lane),
  ]);
  const takeFour: Code = [
    hashes.set(v128.load(hashAt(at.get), LOW)),
    mixFour(hashes),
    v128.store(hashAt(at.get), hashes.get, LOW),
    weights.set(i32x4.fromLowShorts(i16x8.least(v128.load(at.get, LENGTHS), i16x8.all(MOST_WEIGHT)))),
    when(
      i32x4.areAllSet(weights.get),
      [],
      [takeOneByOne, hashes.set(v128.load(n(0), FOUR_HASHES)), weights.set(v128.load(n(0), FOUR_WEIGHTS))],
    ),
    total.set(i32x4.add(total.get, weights.get)),
  ];
  /** Those bits whose words have this digit in their weight. */
  const weighted = (digit: number): Code =>
    v128.and(hashes.get, i32x4.shiftRightSigned(i32x4.shiftLeft(weights.get, n(31 - digit)), n(31)));
  const halfAdd = (digit: { get: Code; set: (value: Code) => Code }): Code => [
    sum.set(v128.xor(digit.get, carry.get)),
    carry.set(v128.and(digit.get, carry.get)),
    digit.set(sum.get),
  ];
  /** Adds a digit and what is carried to a digit of the sums. */
  const fullAdd = (digit: { get: Code; set: (value: Code) => Code }, added: Local): Code => [
    sum.set(v128.xor(digit.get, added.get)),
    digit.set(v128.xor(sum.get, carry.get)),
    // Where both are equal they decide, and otherwise what is carried.
    carry.set(v128.select(sum.get, carry.get, added.get)),
  ];
  const addFour: Code = [
    carry.set(weighted(0)),
    halfAdd(digits[0]),
    ...digits.slice(1, WEIGHT_DIGITS).map((digit, index) => [added.set(weighted(index + 1)), fullAdd(digit, added)]),
    ...digits.slice(WEIGHT_DIGITS).map(halfAdd),
  ];
  const farDigit = (index: number): { get: Code; set: (value: Code) => Code } => ({
    get: v128.load(n(0), DIGITS + 16 * index),
    set: (value) => v128.store(n(0), value, DIGITS + 16 * index),
  });
  const addFar: Code = Array.from({ length: MOST_DIGITS }, (_, index) =>
    index === 0
      ? [carry.set(digits[0].get), halfAdd(farDigit(0))]
      : index < NEAR_DIGITS
        ? fullAdd(farDigit(index), digits[index])
        : halfAdd(farDigit(index)),
  );
  const clearNear: Code = digits.map((digit) => digit.set(i32x4.all(0)));
  // From the highest digit down: each bit of the hashes has four sums.
  const bitOf = (index: number): Code =>
    v128.and(i32x4.shiftRight(v128.load(n(0), DIGITS + 16 * index), bit.get), i32x4.all(1));
  const sumUp: Code = [
    bit.set(n(0)),
    doWhile(
      [
        sum.set(bitOf(MOST_DIGITS - 1)),
        Array.from({ length: MOST_DIGITS - 1 }, (_, index) =>
          sum.set(i32x4.add(i32x4.add(sum.get, sum.get), bitOf(MOST_DIGITS - 2 - index))),
        ),
        v128.store(i32.shiftLeft(bit.get, n(4)), sum.get, SUMS),
        bit.set(i32.add(bit.get, n(1))),
      ],
      i32.less(bit.get, n(BITS)),
    ),
  ];

  return f.with([
    prepare,
    Array.from({ length: MOST_DIGITS }, (_, index) => v128.store(n(0), i32x4.all(0), DIGITS + 16 * index)),
    end.set(twice(words.get)),
    // What lies behind the last word weighs nothing.
    v128.store(end.get, i32x4.all(0), LENGTHS),
    whileDo(i32.less(at.get, end.get), [
      clearNear,
      last.set(i32.add(at.get, n(2 * 4 * WORDS_PER_ROUND))),
      last.set(select(i32.less(last.get, end.get), last.get, end.get)),
      doWhile([takeFour, addFour, step(8)], i32.less(at.get, last.get)),
      addFar,
    ]),
    sumUp,
    [1, 2, 3].reduce<Code>((sum, lane) => i32.add(sum, i32x4.lane(total.get, lane)), i32x4.lane(total.get, 0)),
  ]);
}
