import type { AssembledFunction, Code } from '../../base/wasm/wasm-assembler.ts';
import { assembleModule, i32, i64, select, WasmFunction, when, whileDo } from '../../base/wasm/wasm-assembler.ts';
import { i8x16, i16x8, i32x4, i64x2, v128 } from '../../base/wasm/wasm-vectors.ts';
import { NO_NOTE, NOTE_BITS } from '../analyze.ts';
import { HASH_FACTORS, MOST_WORDS, NUMBER, OWNER, PLACE_BYTES, SHAPE, SHORT, UNITS, WAYS } from './word-places.ts';

/** Where things lie in the memory, in bytes. Before the masks is room for words that are too long for any of them. */
const MASKS = 128;
/** The places of the words that were read, four bytes each. */
export const FOUND = 256;
export const MOST_FOUND = 1024;
/** What is noted of each of these. */
export const NOTES = FOUND + 4 * MOST_FOUND;
/** Code units of the text; the one before the first is the one that stands there in the text, or 0. */
export const WINDOW = 12_288;
export const WINDOW_UNITS = 16_384;
/** Code units that are looked at together, and how far behind them a word is read. */
export const BLOCK_UNITS = 64;
export const BEHIND_BLOCK = SHORT;
/** Where the table begins. */
export const PLACES = 65_536;
export const PAGE = 65_536;
export const FIRST_PAGES = 2;
export const MOST_PAGES = (PLACES + MOST_WORDS * PLACE_BYTES) / PAGE;

/**
 * Reads words from the code unit at the address `at` on, until `end`, the first word that is not ordinary, or the first character
 * beyond ASCII. Leaves the places of the words in `FOUND` and the address of what it did not read at `NEXT`; returns the number of words.
 */
export type WordRunKernel = (at: number, end: number, sets: number) => number;
/** Puts down at `NOTES` what the owner has noted of the first words in `FOUND`, as `RememberedWords.notes` has it. */
export type NotesKernel = (count: number, owner: number) => number;
/** Where the kernel puts down the address after the last word. */
export const NEXT = 64;

/** A word is compared whole: what does not belong to it becomes zeros. The mask of `length` bytes begins at `MASKS + SHORT - length`. */
export function putMasks(memory: ArrayBuffer): void {
  new Uint8Array(memory, MASKS, SHORT).fill(0xff);
}

/** From the code unit of `first` on, in the table below, bits by what a sign is to the word beside it. */
const SIGNS = 0x20;
const JOINER = 0x80;
const TAIL = 0x40;
/** Before a word it may be more than a sign: `.net`, `--force`. */
const BEFORE = 0x20;
const SIGN_TABLE: Readonly<Record<string, number>> = {
  '#': TAIL,
  '+': TAIL,
  '&': JOINER,
  "'": JOINER,
  ',': JOINER,
  '-': JOINER | BEFORE,
  '.': JOINER | BEFORE,
};
/** Stands for every code unit beyond ASCII; of the lanes of a block the only ones with the highest bit. */
const BEYOND_ASCII = 0x80;

/**
 * What words are is found for 64 code units at once, as masks with a bit for each: where words begin, where they end, and the lowest bit of
 * what is not ordinary. The words before that are looked up one by one. No step of it but the end of the two loops depends on the text,
 * so that the processor goes on to the next words while it waits for the place of one.
 */
export function assembleWordRunKernel(): Uint8Array<ArrayBuffer> {
  const kernel = new WasmFunction();
  const at = kernel.param('i32');
  const end = kernel.param('i32');
  const sets = kernel.param('i32');
  const [out, isOn, start, length, place, hash] = Array.from({ length: 6 }, () => kernel.local('i32'));
  const [words, uppers, joiners, tails, befores, beyond] = Array.from({ length: 6 }, () => kernel.local('i64'));
  const [after, starts, ends, odd] = Array.from({ length: 4 }, () => kernel.local('i64'));
  const [octets, folded, wordLanes, signs, product] = Array.from({ length: 5 }, () => kernel.local('v128'));
  const n = i32.const;
  const big = i64.const;
  const between = (lanes: Code, first: string, last: string, room: { get: Code; set: (value: Code) => Code }): Code => [
    room.set(i8x16.sub(lanes, i8x16.all(first.charCodeAt(0)))),
    i8x16.equal(room.get, i8x16.least(room.get, i8x16.all(last.charCodeAt(0) - first.charCodeAt(0)))),
  ];
  const signTable = Array.from({ length: 16 }, (_, i) => SIGN_TABLE[String.fromCharCode(SIGNS + i)] ?? 0);
  const isSign = (sign: string): Code => i8x16.equal(octets.get, i8x16.all(sign.charCodeAt(0)));
  const bitsOf = (lanes: Code, shift = 0): Code => i8x16.bits(shift === 0 ? lanes : i16x8.shiftLeft(lanes, n(shift)));
  const unitsAt = (offset: number): Code => i16x8.least(v128.load(at.get, offset), i16x8.all(BEYOND_ASCII));

  /** Sixteen code units of the block, as sixteen bits of each mask. */
  const classify = (part: number): Code => {
    const append = (mask: { get: Code; set: (value: Code) => Code }, bits: Code): Code => {
      const placed = i64.fromI32(bits);
      return mask.set(part === 0 ? placed : i64.or(mask.get, i64.shiftLeft(placed, big(BigInt(16 * part)))));
    };
    return [
      octets.set(i8x16.narrowUnsigned(unitsAt(32 * part), unitsAt(32 * part + 16))),
      signs.set(
        v128.or(
          i8x16.swizzle(v128.octets(signTable), i8x16.sub(octets.get, i8x16.all(SIGNS))),
          v128.or(v128.and(isSign('@'), i8x16.all(JOINER)), v128.and(isSign('_'), i8x16.all(TAIL | BEFORE))),
        ),
      ),
      wordLanes.set(between(v128.or(octets.get, i8x16.all(0x20)), 'a', 'z', folded)),
      wordLanes.set(v128.or(wordLanes.get, between(octets.get, '0', '9', folded))),
      append(words, bitsOf(wordLanes.get)),
      append(uppers, bitsOf(between(octets.get, 'A', 'Z', folded))),
      append(joiners, bitsOf(signs.get)),
      append(tails, bitsOf(signs.get, 1)),
      append(befores, bitsOf(signs.get, 2)),
      append(beyond, bitsOf(octets.get)),
    ];
  };

  const unitBefore = i32.loadShort(i32.sub(at.get, n(2)));
  const isBefore = ['.', '-', '_']
    .map((sign) => i32.equal(unitBefore, n(sign.charCodeAt(0))))
    .reduce((one, other) => i32.or(one, other));
  const or = (...masks: readonly Code[]): Code => masks.reduce((one, other) => i64.or(one, other));
  const not = (mask: Code): Code => i64.xor(mask, big(-1n));
  const onward = (mask: Code): Code => i64.shiftLeft(mask, big(1n));
  const findWords: Code = [
    after.set(onward(words.get)),
    starts.set(i64.and(words.get, not(after.get))),
    // What follows the last code unit is not known here.
    ends.set(i64.and(i64.and(after.get, not(words.get)), big(2n ** 63n - 1n))),
    odd.set(
      or(
        beyond.get,
        i64.and(uppers.get, after.get),
        i64.and(starts.get, i64.or(onward(befores.get), i64.fromI32(isBefore))),
        i64.and(
          ends.get,
          i64.or(tails.get, i64.and(joiners.get, i64.shiftRight(or(words.get, beyond.get, tails.get), big(1n)))),
        ),
      ),
    ),
    // Those before the lowest bit of what is odd.
    ends.set(i64.and(ends.get, i64.and(i64.sub(odd.get, big(1n)), not(odd.get)))),
  ];

  const wordAddress = i32.add(at.get, i32.shiftLeft(start.get, n(1)));
  const isAt = (way: number): Code =>
    i32.isZero(v128.isAnySet(v128.xor(octets.get, v128.load(place.get, PLACES + way * PLACE_BYTES + UNITS))));
  const withoutLowest = (mask: Code): Code => i64.and(mask, i64.sub(mask, big(1n)));
  const takeOf = (way: number): Code => [
    // Of two places side by side either may be it: computed, not branched upon, as half of the guesses would be wrong.
    place.set(select(isAt(way), place.get, i32.add(place.get, n(PLACE_BYTES)))),
    i32.store(out.get, i32.shiftRight(i32.add(place.get, n(way * PLACE_BYTES)), n(Math.log2(PLACE_BYTES))), 0),
    out.set(i32.add(out.get, n(4))),
    starts.set(withoutLowest(starts.get)),
    ends.set(withoutLowest(ends.get)),
  ];
  const isOneOf = (way: number): Code => i32.or(isAt(way), isAt(way + 1));
  const stopAtWord: Code = [
    odd.set(i64.or(odd.get, i64.shiftLeft(big(1n), i64.fromI32(start.get)))),
    ends.set(big(0n)),
  ];
  const lookUp: Code = [
    start.set(i32.fromI64(i64.trailingZeros(starts.get))),
    length.set(i32.sub(i32.fromI64(i64.trailingZeros(ends.get)), start.get)),
    octets.set(
      v128.and(
        i8x16.narrowUnsigned(v128.load(wordAddress), v128.load(wordAddress, 16)),
        v128.load(i32.sub(n(MASKS + SHORT), length.get)),
      ),
    ),
    product.set(i32x4.mul(octets.get, v128.octets(lanesOf(HASH_FACTORS)))),
    hash.set(foldedLanes(product.get)),
    place.set(
      i32.shiftLeft(
        i32.and(i32.xor(hash.get, i32.shiftRight(hash.get, n(15))), sets.get),
        n(Math.log2(WAYS * PLACE_BYTES)),
      ),
    ),
    when(
      i32.and(i32.less(length.get, n(SHORT + 1)), isOneOf(0)),
      takeOf(0),
      when(i32.and(i32.less(length.get, n(SHORT + 1)), isOneOf(2)), takeOf(2), stopAtWord),
    ),
  ];

  const lowest = (mask: Code): Code => i32.fromI64(i64.trailingZeros(mask));
  const step = length;
  const body: Code = [
    out.set(n(FOUND)),
    isOn.set(n(1)),
    whileDo(
      i32.and(
        isOn.get,
        i32.and(i32.less(at.get, end.get), i32.less(out.get, n(FOUND + 4 * (MOST_FOUND - BLOCK_UNITS)))),
      ),
      [
        [0, 1, 2, 3].map(classify),
        findWords,
        whileDo(i32.isZero(i64.isZero(ends.get)), lookUp),
        step.set(lowest(or(starts.get, odd.get))),
        // A word of more than a block does not end here either.
        isOn.set(i32.and(i64.isZero(odd.get), i32.isZero(i32.isZero(step.get)))),
        at.set(i32.add(at.get, i32.shiftLeft(step.get, n(1)))),
      ],
    ),
    i32.store(n(NEXT), at.get),
    i32.shiftRight(i32.sub(out.get, n(FOUND)), n(2)),
  ];
  return assembleModule({ readWords: kernel.with(body), readNotes: assembleNotes() }, FIRST_PAGES, MOST_PAGES);
}

/** The places have just been looked at: what is noted there costs no wait. Nothing is guessed. */
function assembleNotes(): AssembledFunction {
  const kernel = new WasmFunction();
  const count = kernel.param('i32');
  const owner = kernel.param('i32');
  const [at, end, place] = Array.from({ length: 3 }, () => kernel.local('i32'));
  const n = i32.const;
  const note = i32.or(
    i32.load(place.get, PLACES + 4 * NUMBER),
    i32.shiftLeft(i32.loadShort(place.get, PLACES + 4 * SHAPE + 2), n(NOTE_BITS)),
  );
  return kernel.with([
    end.set(i32.shiftLeft(count.get, n(2))),
    whileDo(i32.less(at.get, end.get), [
      place.set(i32.shiftLeft(i32.load(at.get, FOUND), n(Math.log2(PLACE_BYTES)))),
      i32.store(at.get, select(i32.equal(i32.load(place.get, PLACES + 4 * OWNER), owner.get), note, n(NO_NOTE)), NOTES),
      at.set(i32.add(at.get, n(4))),
    ]),
    count.get,
  ]);
}

/** The sum of four lanes. */
function foldedLanes(lanes: Code): Code {
  const [low, high] = [i64x2.lane(lanes, 0), i64x2.lane(lanes, 1)];
  const half = (lane: Code): Code => i32.add(i32.fromI64(lane), i32.fromI64(i64.shiftRight(lane, i64.const(32n))));
  return i32.add(half(low), half(high));
}

function lanesOf(factors: readonly number[]): number[] {
  return factors.flatMap((factor) => [factor & 0xff, (factor >>> 8) & 0xff, (factor >>> 16) & 0xff, factor >>> 24]);
}
