import {
  assembleModule,
  type Code,
  doWhile,
  i32,
  i64,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { i16x8, i32x4, i64x2, v128 } from '../../../base/wasm/wasm-vectors.ts';
import { EDGE, FACTOR, GRAM_SEED, LONGEST_GRAM, WORD_SEED } from '../grams.ts';
import { LONGEST_KEPT, SLOTS } from '../word-memory.ts';
import { GRAMS, KNOWN, MASK_SIZE, MASKS, type ModelLayout, ROWS, SUMS, WORDS } from './memory-layout.ts';

/** Adds what the words from `at` to `end` (addresses), each with an edge behind it, say for each language to the sums. Returns how many of their grams are known. */
export type ScoreWords = (at: number, end: number) => number;

const FIRST_HASH = 0x9e3779b97f4a7c15n;
const SECOND_HASH = 0xc2b2ae3d27d4eb4fn;

/** A word that was met lately is found again by all of its letters; of others the weights of all grams are added up, 16 languages at a time. */
export function assembleScoreWords({
  width,
  told,
  slots,
  slotCount,
  weights,
  pages,
}: ModelLayout): Uint8Array<ArrayBuffer> {
  const f = new WasmFunction();
  const [at, end] = [f.param('i32'), f.param('i32')];
  const locals = Array.from({ length: 14 }, () => f.local('i32'));
  const [known, knownOfWord, next, size, slot, from, to, start, letter, hash, stop, place, last, touched] = locals;
  const [row, isHeld, found, gram, entry] = Array.from({ length: 5 }, () => f.local('i32'));
  const key = f.local('i64');
  const [one, other, weight] = Array.from({ length: 3 }, () => f.local('v128'));
  const told16 = Array.from({ length: width / 8 }, () => f.local('v128'));
  const n = i32.const;
  const twice = (value: Code): Code => i32.shiftLeft(value, n(1));

  const masked = (part: number): Code =>
    v128.and(v128.load(at.get, 16 * part), v128.load(i32.sub(n(MASKS + MASK_SIZE), twice(size.get)), 16 * part));
  const hashInto = (lane: Code, factor: bigint): Code => key.set(i64.mul(i64.xor(key.get, lane), i64.const(factor)));
  const wordAddress = i32.mul(slot.get, n(2 * LONGEST_KEPT));
  const toldAddress = i32.mul(slot.get, n(2 * width));
  const lookAtWord: Code = [
    one.set(masked(0)),
    other.set(masked(1)),
    key.set(i64.const(0n)),
    hashInto(i64x2.lane(one.get, 0), FIRST_HASH),
    hashInto(i64x2.lane(one.get, 1), SECOND_HASH),
    hashInto(i64x2.lane(other.get, 0), FIRST_HASH),
    hashInto(i64x2.lane(other.get, 1), SECOND_HASH),
    slot.set(i32.fromI64(i64.shiftRight(key.get, i64.const(BigInt(64 - Math.log2(SLOTS)))))),
    isHeld.set(
      i32.isZero(
        v128.isAnySet(
          v128.or(
            v128.xor(one.get, v128.load(wordAddress, WORDS)),
            v128.xor(other.get, v128.load(wordAddress, WORDS + 16)),
          ),
        ),
      ),
    ),
  ];
  const keepWord: Code = [
    v128.store(wordAddress, one.get, WORDS),
    v128.store(wordAddress, other.get, WORDS + 16),
    i32.storeShort(twice(slot.get), knownOfWord.get, KNOWN),
    told16.map((sums, index) => v128.store(toldAddress, sums.get, told + 16 * index)),
  ];
  const takeHeld: Code = [
    knownOfWord.set(i32.loadShort(twice(slot.get), KNOWN)),
    told16.map((sums, index) => sums.set(v128.load(toldAddress, told + 16 * index))),
  ];

  const takeLetter = (address: Code): Code => [
    letter.set(i32.loadShort(address)),
    hash.set(i32.mul(i32.xor(hash.get, letter.get), n(FACTOR))),
    hash.set(i32.xor(hash.get, i32.shiftRight(hash.get, n(15)))),
  ];
  const entryOf = (value: Code): Code => i32.shiftLeft(i32.and(value, n(slotCount - 1)), n(3));
  /** Notes a gram, and behind which place those end that begin with it. The table is larger than the caches: all places are asked for before anything waits for one. */
  const note = (following: Code): Code => [
    i32.store(place.get, hash.get, GRAMS),
    i32.store(place.get, following, GRAMS + 4),
    place.set(i32.add(place.get, n(8))),
    touched.set(i32.or(touched.get, i32.load(entryOf(hash.get), slots))),
  ];
  const followingBytes = (address: Code): Code => i32.shiftLeft(i32.sub(i32.sub(stop.get, address), n(2)), n(2));
  const noteGrams: Code = [
    from.set(i32.sub(at.get, n(2))),
    to.set(i32.add(next.get, n(2))),
    start.set(from.get),
    place.set(n(0)),
    touched.set(n(0)),
    doWhile(
      [
        stop.set(i32.add(start.get, n(2 * LONGEST_GRAM))),
        stop.set(select(i32.less(stop.get, to.get), stop.get, to.get)),
        hash.set(n(GRAM_SEED)),
        takeLetter(start.get),
        // An edge alone says nothing.
        when(i32.notEqual(start.get, from.get), note(followingBytes(start.get))),
        last.set(i32.add(start.get, n(2))),
        whileDo(i32.less(last.get, stop.get), [
          takeLetter(last.get),
          note(followingBytes(last.get)),
          last.set(i32.add(last.get, n(2))),
        ]),
        start.set(i32.add(start.get, n(2))),
      ],
      i32.less(start.get, next.get),
    ),
    when(i32.less(n(LONGEST_GRAM - 2), size.get), [
      hash.set(n(WORD_SEED)),
      last.set(at.get),
      doWhile([takeLetter(last.get), last.set(i32.add(last.get, n(2)))], i32.less(last.get, next.get)),
      note(n(0)),
    ]),
  ];
  const findEntry: Code = found.set(i32.load(entry.get, slots));
  const findGrams: Code = [
    last.set(n(0)),
    row.set(n(0)),
    doWhile(
      [
        gram.set(i32.load(last.get, GRAMS)),
        entry.set(entryOf(gram.get)),
        findEntry,
        whileDo(i32.and(i32.notEqual(found.get, gram.get), i32.notEqual(found.get, n(0))), [
          entry.set(i32.and(i32.add(entry.get, n(8)), n(8 * slotCount - 1))),
          findEntry,
        ]),
        // A gram that is 0 itself says nothing: no place can hold it. No longer gram begins with one that says nothing.
        when(
          found.get,
          [i32.store(row.get, i32.load(entry.get, slots + 4), ROWS), row.set(i32.add(row.get, n(4)))],
          last.set(i32.add(last.get, i32.load(last.get, GRAMS + 4))),
        ),
        last.set(i32.add(last.get, n(8))),
      ],
      i32.less(last.get, place.get),
    ),
    knownOfWord.set(i32.shiftRight(row.get, n(2))),
  ];
  const eachRow = (body: Code): Code => [
    last.set(n(0)),
    whileDo(i32.less(last.get, row.get), [
      start.set(i32.load(last.get, ROWS)),
      body,
      last.set(i32.add(last.get, n(4))),
    ]),
  ];
  const addRows: Code = [
    // So that all rows are on their way when the first of them is waited for.
    touched.set(n(0)),
    eachRow(touched.set(i32.or(touched.get, i32.load(start.get, weights)))),
    i32.store(n(0), touched.get, GRAMS),
    eachRow(
      Array.from({ length: width / 16 }, (_, index) => [
        weight.set(v128.load(start.get, weights + 16 * index)),
        told16[2 * index].set(i16x8.add(told16[2 * index].get, i16x8.fromLowOctetsSigned(weight.get))),
        told16[2 * index + 1].set(i16x8.add(told16[2 * index + 1].get, i16x8.fromHighOctetsSigned(weight.get))),
      ]),
    ),
  ];
  const nothing: Code = [knownOfWord.set(n(0)), told16.map((sums) => sums.set(i32x4.all(0)))];
  const addToSums: Code = told16.map((sums, index) => {
    const add = (address: number, widened: Code): Code =>
      v128.store(n(0), i32x4.add(v128.load(n(0), address), widened), address);
    return [
      add(SUMS + 32 * index, i32x4.fromLowShortsSigned(sums.get)),
      add(SUMS + 32 * index + 16, i32x4.fromHighShortsSigned(sums.get)),
    ];
  });

  const body: Code = [
    whileDo(i32.less(at.get, end.get), [
      next.set(at.get),
      whileDo(i32.notEqual(i32.loadShort(next.get), n(EDGE)), next.set(i32.add(next.get, n(2)))),
      size.set(i32.shiftRight(i32.sub(next.get, at.get), n(1))),
      isHeld.set(n(0)),
      when(i32.less(size.get, n(LONGEST_KEPT + 1)), lookAtWord),
      when(isHeld.get, takeHeld, [
        nothing,
        noteGrams,
        when(touched.get, [findGrams, addRows]),
        when(i32.less(size.get, n(LONGEST_KEPT + 1)), keepWord),
      ]),
      known.set(i32.add(known.get, knownOfWord.get)),
      addToSums,
      at.set(i32.add(next.get, n(2))),
    ]),
    known.get,
  ];
  return assembleModule({ scoreWords: f.with(body) }, pages);
}
