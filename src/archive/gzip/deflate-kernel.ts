import type { Code } from '../../base/wasm/wasm-assembler.ts';
import { doWhile, i32, i64, select, WasmFunction, when, whileDo } from '../../base/wasm/wasm-assembler.ts';

/**
 * How a token becomes bits: an array of words, one for each literal, one for the end of the block, one for each length
 * of a match and one for each class of distances. In a word: the bits, first bit lowest, and below them in eight bits
 * their number. The tally of the tokens written has the same places.
 */
export const END_OF_BLOCK = 256;
export const LENGTH_3 = 257;
export const DISTANCE_0 = LENGTH_3 + 256;
export const TOKENS = DISTANCE_0 + 30;

const MAX_MATCH = 258;
const MAX_DISTANCE = 32_768;
const HASH_BITS = 13;

/** Where things lie in the memory. */
export const BITS_OF_TOKENS = 0;
export const TALLY = BITS_OF_TOKENS + TOKENS * 4;
const POSITIONS = 8192;
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

/** Literals that find room in 64 bits behind 7 bits left over: 7 + 3 * 15. A match takes at most 7 + 20 + 15 + 13. */
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
  const [lastProbe, place, before, distance, length, most, token, extraBits] = Array.from({ length: 8 }, () =>
    kernel.local('i32'),
  );
  const [buffer, octets, difference] = Array.from({ length: 3 }, () => kernel.local('i64'));
  const n = i32.const;

  const append = (value: Code, count: Code): Code => [
    buffer.set(i64.or(buffer.get, i64.shiftLeft(i64.fromI32(value), i64.fromI32(bits.get)))),
    bits.set(i32.add(bits.get, count)),
  ];
  /** Stores eight octets and keeps the bits that do not fill one: cheaper than asking whether it is time to. */
  const flush: Code = [
    i64.store(out.get, buffer.get),
    out.set(i32.add(out.get, i32.shiftRight(bits.get, n(3)))),
    buffer.set(i64.shiftRight(buffer.get, i64.fromI32(i32.and(bits.get, n(~7))))),
    bits.set(i32.and(bits.get, n(7))),
  ];
  /** Token number `index`, counted from that of number `first`. */
  const appendToken = (index: Code, first: number): Code => [
    place.set(i32.shiftLeft(index, n(2))),
    i32.store(place.get, i32.add(i32.load(place.get, TALLY + first * 4), n(1)), TALLY + first * 4),
    token.set(i32.load(place.get, BITS_OF_TOKENS + first * 4)),
    append(i32.shiftRight(token.get, n(8)), i32.and(token.get, n(0xff))),
  ];

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
    // One less than the distance, which is how DEFLATE counts, and how the distance 0 is out of reach.
    distance.set(i32.sub(i32.sub(at.get, before.get), n(1))),
  ];
  const outOfReach = i32.shiftRight(distance.get, n(Math.log2(MAX_DISTANCE)));
  const matches = i64.isZero(i64.or(i64.xor(octets.get, i64.load(before.get)), i64.fromI32(outOfReach)));

  const appendLiteral: Code = [
    appendToken(i32.and(i32.fromI64(octets.get), n(0xff)), 0),
    at.set(i32.add(at.get, n(1))),
  ];
  const smaller = (a: Code, b: Code): Code => select(i32.less(a, b), a, b);
  const appendMatch: Code = [
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
    append(i32.and(distance.get, i32.sub(i32.shiftLeft(n(1), extraBits.get), n(1))), extraBits.get),
    flush,
    // Of what the match covers, two positions are remembered: most of the gain of remembering all, for little.
    remember(i32.add(at.get, n(1))),
    at.set(i32.add(at.get, length.get)),
    remember(i32.sub(at.get, n(2))),
  ];
  const steps = (literals: number): Code => {
    const onward = literals + 1 < LITERALS_AT_ONCE ? steps(literals + 1) : flush;
    return [probe, when(matches, [literals > 0 ? flush : [], appendMatch], [appendLiteral, onward])];
  };

  const body: Code = [
    buffer.set(i64.fromI32(i32.and(i32.loadByte(out.get), i32.sub(i32.shiftLeft(n(1), bits.get), n(1))))),
    lastProbe.set(i32.sub(to.get, n(8 + LITERALS_AT_ONCE - 1))),
    whileDo(i32.lessSigned(at.get, lastProbe.get), steps(0)),
    whileDo(i32.less(at.get, to.get), [octets.set(i64.load(at.get)), appendLiteral, flush]),
    appendToken(n(END_OF_BLOCK), 0),
    i64.store(out.get, buffer.get),
    i32.add(i32.shiftLeft(out.get, n(3)), bits.get),
  ];
  return kernel.assemble('deflate', body, MEMORY_PAGES);
}
