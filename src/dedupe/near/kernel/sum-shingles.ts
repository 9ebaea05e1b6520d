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
import { i32x4, v128 } from '../../../base/wasm/wasm-vectors.ts';
import { SKETCH_VALUES } from '../sketch.ts';
import { SHINGLE_WORDS } from '../sketch-method.ts';
import { HIGH_ROLL, LOW_ROLL } from '../text-scan.ts';
import { BINS, HIGH, LOW, MARKS, TABLE } from './memory-layout.ts';
import { mixer } from './sum-words.ts';

/**
 * Takes this many shingles of the mixed hashes of the words, which they overwrite, into their bins, and marks each. `mask`: one less than the
 * octets of the marks, which must be cleared; the bins must be empty. Returns how many of them were not surely new: those are put down in place of bins.
 */
export type SumShingles = (shingles: number, mask: number) => number;
/**
 * Of `shingles`, among which `doubtful` were not surely new, how many are distinct. The marks must be cleared, and so must be the table, of
 * which `tableMask` is one less than its size.
 */
export type CountDistinct = (shingles: number, doubtful: number, mask: number, tableMask: number) => number;

const n = i32.const;

export function sumShingles(): AssembledFunction {
  const f = new WasmFunction();
  const shingles = f.param('i32');
  const mask = f.param('i32');
  const [at, end, hash, bin, found, doubtful] = Array.from({ length: 6 }, () => f.local('i32'));
  const [hashes, lowRoll, highRoll, bins] = Array.from({ length: 4 }, () => f.local('v128'));
  const { prepare, mixFour } = mixer(f);

  /** Of four shingles: the hash of a word counts a factor more for each word behind it. Words are loaded before a shingle takes their place. */
  const roll = (place: number, factor: Variable): Code => [
    hashes.set(v128.load(at.get, place)),
    Array.from({ length: SHINGLE_WORDS - 1 }, (_, word) =>
      hashes.set(i32x4.add(i32x4.mul(hashes.get, factor.get), v128.load(at.get, place + 4 * (word + 1)))),
    ),
    mixFour(hashes),
  ];
  const upperHalf = (): Code => hashes.set(i32x4.shiftRight(hashes.get, n(16)));
  const makeShingles: Code = [
    roll(LOW, lowRoll),
    v128.store(at.get, hashes.get, LOW),
    roll(HIGH, highRoll),
    upperHalf(),
    hashes.set(i32x4.mul(hashes.get, bins.get)),
    upperHalf(),
    v128.store(at.get, hashes.get, HIGH),
    at.set(i32.add(at.get, n(16))),
  ];
  const takeShingle: Code = [
    hash.set(i32.load(at.get, LOW)),
    bin.set(i32.shiftLeft(i32.load(at.get, HIGH), n(2))),
    found.set(i32.load(bin.get, BINS)),
    i32.store(bin.get, select(i32.lessSigned(hash.get, found.get), hash.get, found.get), BINS),
    setMark(hash, bin, mask, found),
    // Nearly all are the first with their mark.
    when(isMarked(hash, found), [i32.store(doubtful.get, hash.get, HIGH), doubtful.set(i32.add(doubtful.get, n(4)))]),
    at.set(i32.add(at.get, n(4))),
  ];
  return f.with([
    prepare,
    lowRoll.set(i32x4.all(LOW_ROLL)),
    highRoll.set(i32x4.all(HIGH_ROLL)),
    bins.set(i32x4.all(SKETCH_VALUES)),
    end.set(i32.shiftLeft(shingles.get, n(2))),
    doWhile(makeShingles, i32.less(at.get, end.get)),
    at.set(n(0)),
    doWhile(takeShingle, i32.less(at.get, end.get)),
    i32.shiftRight(doubtful.get, n(2)),
  ]);
}

/** All shingles whose mark another one may have had before, the first ones with it among them, are told apart in the table. */
export function countDistinct(): AssembledFunction {
  const f = new WasmFunction();
  const [shingles, doubtful, mask, tableMask] = Array.from({ length: 4 }, () => f.param('i32'));
  const [at, end, hash, place, slot, found, distinct] = Array.from({ length: 7 }, () => f.local('i32'));
  const slotAddress = i32.shiftLeft(slot.get, n(2));
  const find: Code = found.set(i32.load(slotAddress, TABLE));
  const lookUp: Code = [
    slot.set(i32.and(hash.get, tableMask.get)),
    find,
    whileDo(i32.and(i32.notEqual(found.get, n(0)), i32.notEqual(found.get, hash.get)), [
      slot.set(i32.and(i32.add(slot.get, n(1)), tableMask.get)),
      find,
    ]),
    i32.store(slotAddress, hash.get, TABLE),
    distinct.set(i32.add(distinct.get, i32.isZero(found.get))),
  ];
  const next: Code = at.set(i32.add(at.get, n(4)));
  return f.with([
    // What was surely new, without those whose marks are asked for again.
    distinct.set(i32.sub(shingles.get, doubtful.get)),
    end.set(i32.shiftLeft(doubtful.get, n(2))),
    doWhile(
      [
        hash.set(i32.load(at.get, HIGH)),
        setMark(hash, place, mask, found),
        distinct.set(i32.sub(distinct.get, i32.xor(isMarked(hash, found), n(1)))),
        next,
      ],
      i32.less(at.get, end.get),
    ),
    at.set(n(0)),
    end.set(i32.shiftLeft(shingles.get, n(2))),
    doWhile(
      [
        hash.set(i32.load(at.get, LOW)),
        hash.set(i32.or(hash.get, i32.isZero(hash.get))),
        found.set(i32.load(markAddress(hash, mask), MARKS)),
        when(isMarked(hash, found), lookUp),
        next,
      ],
      i32.less(at.get, end.get),
    ),
    distinct.get,
  ]);
}

interface Variable {
  readonly get: Code;
  set(value: Code): Code;
}

/** Sets the mark of a hash; `found`: those beside it, as they were. */
function setMark(hash: Variable, place: Variable, mask: Variable, found: Variable): Code {
  return [
    // 0 is a place that is free in the table.
    hash.set(i32.or(hash.get, i32.isZero(hash.get))),
    place.set(markAddress(hash, mask)),
    found.set(i32.load(place.get, MARKS)),
    i32.store(place.get, i32.or(found.get, i32.shiftLeft(n(1), hash.get)), MARKS),
  ];
}

/** The lowest bits of a hash tell the bit, the next ones the word. */
function markAddress(hash: Variable, mask: Variable): Code {
  return i32.and(i32.and(i32.shiftRight(hash.get, n(3)), mask.get), n(-4));
}

function isMarked(hash: Variable, found: Variable): Code {
  return i32.and(i32.shiftRight(found.get, hash.get), n(1));
}
