import {
  type AssembledFunction,
  type Code,
  doWhile,
  i32,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { i8x16, i16x8, i32x4, v128 } from '../../../base/wasm/wasm-vectors.ts';
import { FEATURES_PER_ROUND, RUN_CHARACTERS, RUN_FACTOR, RUN_WEIGHT } from '../simhash-sums.ts';
import { FIRST_MIX, MOST_WEIGHT, SECOND_MIX } from '../text-scan.ts';
import { HIGH, LENGTHS, LOW, SUMS, TOTAL } from './memory-layout.ts';

/** Mixes the hashes of this many words, and adds them up by bit, weighted by their lengths. Returns 0. */
export type SumWords = (words: number) => number;

/** As `mix` does for one. */
export function mixFour(hashes: { get: Code; set: (value: Code) => Code }): Code {
  const shifted = (bits: number): Code =>
    hashes.set(v128.xor(hashes.get, i32x4.shiftRight(hashes.get, i32.const(bits))));
  return [
    shifted(16),
    hashes.set(i32x4.mul(hashes.get, i32x4.all(FIRST_MIX))),
    shifted(13),
    hashes.set(i32x4.mul(hashes.get, i32x4.all(SECOND_MIX))),
    shifted(16),
  ];
}

/** One octet for each bit of a hash, 16 in a vector: they take the weights of 31 words before they are added to the sums. */
export function sumWords(): AssembledFunction {
  const f = new WasmFunction();
  const words = f.param('i32');
  const [at, end, last, weight, total, low, high, before] = Array.from({ length: 8 }, () => f.local('i32'));
  const [hashes, weights, ...octets] = Array.from({ length: 6 }, () => f.local('v128'));
  const n = i32.const;
  const step = (by: number): Code => at.set(i32.add(at.get, n(by)));
  const twice = (address: Code): Code => i32.shiftLeft(address, n(1));

  const mixAll = (place: number): Code => [
    at.set(n(0)),
    doWhile(
      [hashes.set(v128.load(at.get, place)), mixFour(hashes), v128.store(at.get, hashes.get, place), step(16)],
      i32.less(at.get, i32.shiftLeft(words.get, n(2))),
    ),
  ];
  const boundWeights: Code = [
    at.set(n(0)),
    doWhile(
      [v128.store(at.get, i16x8.least(v128.load(at.get, LENGTHS), i16x8.all(MOST_WEIGHT)), LENGTHS), step(16)],
      i32.less(at.get, twice(words.get)),
    ),
  ];

  // Addresses count in octets of the weights, of which there are two for a word.
  const mixScalar = (hash: { get: Code; set: (value: Code) => Code }): Code => {
    const shifted = (bits: number): Code => hash.set(i32.xor(hash.get, i32.shiftRight(hash.get, n(bits))));
    return [
      shifted(16),
      hash.set(i32.mul(hash.get, n(FIRST_MIX))),
      shifted(13),
      hash.set(i32.mul(hash.get, n(SECOND_MIX))),
      shifted(16),
    ];
  };
  const appended = (hash: Code, place: number): Code =>
    i32.add(i32.mul(hash, n(RUN_FACTOR)), i32.load(twice(before.get), place));
  const appendCharacters = (left: number): Code => [
    before.set(i32.sub(before.get, n(2))),
    when(
      i32.lessSigned(before.get, n(0)),
      [],
      when(i32.isZero(i32.loadShort(before.get, LENGTHS)), [
        low.set(appended(low.get, LOW)),
        high.set(appended(high.get, HIGH)),
        left > 1 ? appendCharacters(left - 1) : [],
      ]),
    ),
  ];
  const takeRun: Code = [
    weight.set(n(RUN_WEIGHT)),
    before.set(at.get),
    appendCharacters(RUN_CHARACTERS - 1),
    mixScalar(low),
    mixScalar(high),
  ];
  const BIT_OF_LANE = v128.octets(Array.from({ length: 16 }, (_, lane) => 1 << (lane & 7)));
  const addBits = (index: number): Code => {
    const from = 2 * (index & 1);
    const source = i32x4.spread(index < 2 ? low.get : high.get);
    const lanes = Array.from({ length: 16 }, (_, lane) => from + (lane >>> 3));
    const isSet = i8x16.equal(v128.and(i8x16.pick(source, lanes), BIT_OF_LANE), BIT_OF_LANE);
    return octets[index].set(i8x16.add(octets[index].get, v128.and(isSet, weights.get)));
  };
  const addWord: Code = [
    weight.set(i32.loadShort(at.get, LENGTHS)),
    low.set(i32.load(twice(at.get), LOW)),
    high.set(i32.load(twice(at.get), HIGH)),
    when(weight.get, [], takeRun),
    total.set(i32.add(total.get, weight.get)),
    weights.set(i8x16.spread(weight.get)),
    [0, 1, 2, 3].map(addBits),
    step(2),
  ];
  const widen = (index: number): Code =>
    [0, 1, 2, 3].map((quarter) => {
      const shorts = (quarter < 2 ? i16x8.fromLowOctets : i16x8.fromHighOctets)(octets[index].get);
      const sums = (quarter % 2 === 0 ? i32x4.fromLowShorts : i32x4.fromHighShorts)(shorts);
      const place = SUMS + 64 * index + 16 * quarter;
      return v128.store(n(0), i32x4.add(v128.load(n(0), place), sums), place);
    });
  const clearOctets: Code = octets.map((sums) => sums.set(i8x16.all(0)));

  return f.with([
    mixAll(LOW),
    mixAll(HIGH),
    boundWeights,
    Array.from({ length: 16 }, (_, index) => v128.store(n(0), i8x16.all(0), SUMS + 16 * index)),
    end.set(twice(words.get)),
    at.set(n(0)),
    whileDo(i32.less(at.get, end.get), [
      clearOctets,
      last.set(i32.add(at.get, n(2 * FEATURES_PER_ROUND))),
      last.set(select(i32.less(last.get, end.get), last.get, end.get)),
      doWhile(addWord, i32.less(at.get, last.get)),
      [0, 1, 2, 3].map(widen),
    ]),
    i32.store(n(TOTAL), total.get),
    n(0),
  ]);
}
