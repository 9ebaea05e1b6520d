import type { Code } from '../../base/wasm/wasm-assembler.ts';
import {
  block,
  doWhile,
  i32,
  i64,
  leave,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../base/wasm/wasm-assembler.ts';

/**
 * How a token becomes bits: eight octets for each literal, for the end of the block, for each length of a match and for each
 * class of distances. The bits are the highest, the first of them lowest; the lowest octet is their number. The tally of
 * the tokens written has the same places: the first of the two words.
 */
export const END_OF_BLOCK = 256;
export const LENGTH_3 = 257;
export const DISTANCE_0 = LENGTH_3 + 256;
export const TOKENS = DISTANCE_0 + 30;
/** Words for each token. */
export const STRIDE = 2;

const MAX_MATCH = 258;
const MAX_DISTANCE = 32_768;
const HASH_BITS = 13;

/** Where things lie in the memory. */
export const BITS_OF_TOKENS = 0;
export const TALLY = BITS_OF_TOKENS + TOKENS * 4 * STRIDE;
const POSITIONS = 16_384;
/** Farther from the start than a match may reach: the position 0, with which the table begins, never makes a match. */
export const INPUT = POSITIONS + (4 << HASH_BITS);
/** Most octets of input at a time. */
export const INPUT_SIZE = 256 * 1024;
/** Between input and output: comparing runs over the end of the input, before the match is cut to what there is. */
export const OUTPUT = INPUT + INPUT_SIZE + 512;
/** No token takes more than 15 bits an octet. */
export const OUTPUT_PER_INPUT = 2;
export const MEMORY_PAGES = 16;
export const MEMORY_SIZE = MEMORY_PAGES * 65_536;

/**
 * Writes the octets from `from` to `to` as literals and matches of eight octets and more, then the end of the block.
 * The first `bits` bits of the octet at `out` are kept. Returns the end of the output in bits; zeros fill its octet and
 * the next.
 */
export type DeflateKernel = (from: number, to: number, out: number, bits: number) => number;

/** Literals that find room above the lowest octet of 64 bits, behind 7 bits left over: 7 + 3 * 15. A match takes at most 7 + 20 + 15 + 13. */
const LITERALS_AT_ONCE = 3;
const HASH_FACTOR = 0x9e37_79b9_7f4a_7c15n;

/**
 * One pass: the next eight octets are looked up in a table of the positions at which eight octets of the same hash were
 * met last. Where those are the same octets there is a match; where not, the first is a literal. What the table says is
 * never trusted: a position from an earlier input is taken only if it lies behind us within reach and the octets there,
 * as they are now, are the same. So the table never needs to be cleared.
 */
export function assembleDeflateKernel(): Uint8Array<ArrayBuffer> {
  const kernel = new WasmFunction();
  const at = kernel.param('i32');
  const to = kernel.param('i32');
  const out = kernel.param('i32');
  const bits = kernel.param('i32');
  const [lastProbe, place, before, distance, length, most, extraBits] = Array.from({ length: 7 }, () =>
    kernel.local('i32'),
  );
  const [buffer, count, octets, difference, token] = Array.from({ length: 5 }, () => kernel.local('i64'));
  const n = i32.const;
  const wide = (value: number): Code => i64.const(BigInt(value));
  /** The complement to 64, as shifts see it. */
  const fromTop = (value: Code): Code => i64.sub(wide(0), value);

  /**
   * Bits come in at the top of the buffer and push those before them down; what lies below the bits that count was written before.
   * Of a token its number of bits shifts, is added up and comes in too, without being taken apart: other than its lowest bits
   * neither shifts nor the count can see, and it never gets up to the bits that count.
   */
  const append = (value: Code): Code => [
    token.set(value),
    buffer.set(i64.or(i64.shiftRight(buffer.get, token.get), token.get)),
    count.set(i64.add(count.get, token.get)),
  ];
  const store: Code = i64.store(out.get, i64.shiftRight(buffer.get, fromTop(count.get)));
  /** Stores eight octets and keeps the bits that do not fill one: cheaper than asking whether it is time to. */
  const flush: Code = [
    store,
    out.set(i32.add(out.get, i32.fromI64(i64.and(i64.shiftRight(count.get, wide(3)), wide(7))))),
    count.set(i64.and(count.get, wide(7))),
  ];
  /** Token number `index`, counted from that of number `first`. */
  const appendToken = (index: Code, first: number): Code => {
    const offset = first * 4 * STRIDE;
    return [
      place.set(i32.shiftLeft(index, n(Math.log2(4 * STRIDE)))),
      i32.store(place.get, i32.add(i32.load(place.get, TALLY + offset), n(1)), TALLY + offset),
      append(i64.load(place.get, BITS_OF_TOKENS + offset)),
    ];
  };

  const placeOf = (word: Code): Code => {
    const hash = i64.shiftRight(i64.mul(word, i64.const(HASH_FACTOR)), i64.const(BigInt(64 - HASH_BITS - 2)));
    return i32.and(i32.fromI64(hash), n(-4));
  };
  const remember = (position: Code): Code => i32.store(placeOf(i64.load(position)), position, POSITIONS);
  const probe: Code = [
    octets.set(i64.load(at.get)),
    place.set(placeOf(octets.get)),
    before.set(i32.load(place.get, POSITIONS)),
    i32.store(place.get, at.get, POSITIONS),
  ];
  const isSame = i64.isZero(i64.xor(octets.get, i64.load(before.get)));

  const appendLiteral: Code = [
    appendToken(i32.and(i32.fromI64(octets.get), n(0xff)), 0),
    at.set(i32.add(at.get, n(1))),
  ];
  const smaller = (a: Code, b: Code): Code => select(i32.less(a, b), a, b);
  const farther = i32.and(distance.get, i32.sub(i32.shiftLeft(n(1), extraBits.get), n(1)));
  const wideExtraBits = i64.fromI32(extraBits.get);
  const appendMatch: Code = [
    flush,
    length.set(n(8)),
    doWhile(
      [
        difference.set(i64.xor(i64.load(i32.add(at.get, length.get)), i64.load(i32.add(before.get, length.get)))),
        length.set(i32.add(length.get, i32.fromI64(i64.shiftRight(i64.trailingZeros(difference.get), i64.const(3n))))),
      ],
      i32.and(i64.isZero(difference.get), i32.less(length.get, n(MAX_MATCH))),
    ),
    most.set(i32.sub(to.get, at.get)),
    length.set(smaller(length.get, smaller(most.get, n(MAX_MATCH)))),
    appendToken(length.get, LENGTH_3 - 3),
    // Distances of 1, 2, 3, 4 are classes of their own; then each power of two has two.
    extraBits.set(i32.sub(n(30), i32.leadingZeros(i32.or(distance.get, n(2))))),
    appendToken(i32.add(i32.shiftLeft(extraBits.get, n(1)), i32.shiftRight(distance.get, extraBits.get)), DISTANCE_0),
    append(i64.or(i64.shiftLeft(i64.fromI32(farther), fromTop(wideExtraBits)), wideExtraBits)),
    flush,
    // Of what the match covers, two positions are remembered: most of the gain of remembering all, for little.
    remember(i32.add(at.get, n(1))),
    at.set(i32.add(at.get, length.get)),
    remember(i32.sub(at.get, n(2))),
  ];
  /** The block that is left where a match is found lies around the steps. */
  const step: Code = [
    probe,
    when(isSame, [
      // One less than the distance, which is how DEFLATE counts, and how the distance 0 is out of reach.
      distance.set(i32.sub(i32.sub(at.get, before.get), n(1))),
      leave(1, i32.less(distance.get, n(MAX_DISTANCE))),
    ]),
    appendLiteral,
  ];
  const literals: Code = Array.from({ length: LITERALS_AT_ONCE }, () => step);

  const body: Code = [
    count.set(i64.fromI32(bits.get)),
    buffer.set(i64.shiftLeft(i64.fromI32(i32.loadByte(out.get)), fromTop(count.get))),
    lastProbe.set(i32.sub(to.get, n(8 + LITERALS_AT_ONCE - 1))),
    whileDo(i32.lessSigned(at.get, lastProbe.get), [block([literals, flush, leave(1)]), appendMatch]),
    whileDo(i32.less(at.get, to.get), [octets.set(i64.load(at.get)), appendLiteral, flush]),
    appendToken(n(END_OF_BLOCK), 0),
    store,
    i32.add(i32.shiftLeft(out.get, n(3)), i32.and(i32.fromI64(count.get), n(63))),
  ];
  return kernel.assemble('deflate', body, MEMORY_PAGES);
}
