import {
  type AssembledFunction,
  type Code,
  doWhile,
  i32,
  select,
  WasmFunction,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { i32x4, v128 } from '../../../base/wasm/wasm-vectors.ts';
import { SKETCH_VALUES } from '../sketch.ts';
import { SHINGLE_WORDS } from '../sketch-method.ts';
import { HIGH_ROLL, LOW_ROLL } from '../text-scan.ts';
import { BINS, HIGH, LOW, TABLE } from './memory-layout.ts';
import { mixFour } from './sum-words.ts';

/**
 * Takes this many shingles of the mixed hashes of the words, which they overwrite, into their bins, and returns how many of them are
 * distinct. `mask`: one less than the size of the table, which must be cleared, as must be the bins.
 */
export type SumShingles = (shingles: number, mask: number) => number;

export function sumShingles(): AssembledFunction {
  const f = new WasmFunction();
  const shingles = f.param('i32');
  const mask = f.param('i32');
  const [at, end, hash, bin, slot, found, distinct] = Array.from({ length: 7 }, () => f.local('i32'));
  const hashes = f.local('v128');
  const n = i32.const;

  /** Of four shingles: the hash of a word counts a factor more for each word behind it. Words are loaded before a shingle takes their place. */
  const roll = (place: number, factor: number): Code => [
    hashes.set(v128.load(at.get, place)),
    Array.from({ length: SHINGLE_WORDS - 1 }, (_, word) =>
      hashes.set(i32x4.add(i32x4.mul(hashes.get, i32x4.all(factor)), v128.load(at.get, place + 4 * (word + 1)))),
    ),
    mixFour(hashes),
  ];
  const upperHalf = (): Code => hashes.set(i32x4.shiftRight(hashes.get, n(16)));
  const makeShingles: Code = [
    roll(LOW, LOW_ROLL),
    v128.store(at.get, hashes.get, LOW),
    roll(HIGH, HIGH_ROLL),
    upperHalf(),
    hashes.set(i32x4.mul(hashes.get, i32x4.all(SKETCH_VALUES))),
    upperHalf(),
    v128.store(at.get, hashes.get, HIGH),
    at.set(i32.add(at.get, n(16))),
  ];
  const slotAddress = i32.shiftLeft(slot.get, n(2));
  const find: Code = found.set(i32.load(slotAddress, TABLE));
  const countShingle: Code = [
    hash.set(i32.load(at.get, LOW)),
    bin.set(i32.shiftLeft(i32.load(at.get, HIGH), n(2))),
    found.set(i32.load(bin.get, BINS)),
    i32.store(bin.get, select(i32.lessSigned(hash.get, found.get), hash.get, found.get), BINS),
    // 0 is a place that is free.
    hash.set(i32.or(hash.get, i32.isZero(hash.get))),
    slot.set(i32.and(hash.get, mask.get)),
    find,
    whileDo(i32.and(i32.notEqual(found.get, n(0)), i32.notEqual(found.get, hash.get)), [
      slot.set(i32.and(i32.add(slot.get, n(1)), mask.get)),
      find,
    ]),
    i32.store(slotAddress, hash.get, TABLE),
    distinct.set(i32.add(distinct.get, i32.isZero(found.get))),
    at.set(i32.add(at.get, n(4))),
  ];
  return f.with([
    end.set(i32.shiftLeft(shingles.get, n(2))),
    doWhile(makeShingles, i32.less(at.get, end.get)),
    at.set(n(0)),
    doWhile(countShingle, i32.less(at.get, end.get)),
    distinct.get,
  ]);
}
