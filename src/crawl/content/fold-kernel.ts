import { VectorConstants } from '../../base/wasm/vector-constants.ts';
import {
  assembleModule,
  type Code,
  i32,
  RETURN,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../base/wasm/wasm-assembler.ts';
import { i8x16, i16x8, v128 } from '../../base/wasm/wasm-vectors.ts';

/** In place of small letters. */
export const WHITE = 1;
export const PECULIAR = 2;

/** By code unit: its small letter, `WHITE`, `PECULIAR`, or 0 for what is not known yet. */
export const KNOWN = 0;
/** Where the next octet comes, and whether white space, or nothing, is before it. */
export const OUT = KNOWN + 2 * 65_536;
const IS_AFTER_GAP = OUT + 4;
export const UNITS = OUT + 16;
/** Units of a text at a time. */
export const MOST_UNITS = 16 * 1024;
const UNITS_AT_ONCE = 16;
/** Vectors are loaded and stored over the end. */
export const OUTPUT = UNITS + 2 * (MOST_UNITS + UNITS_AT_ONCE);
const OUTPUT_SIZE = 3 * MOST_UNITS + UNITS_AT_ONCE;
export const MEMORY_PAGES = Math.ceil((OUTPUT + OUTPUT_SIZE) / 65_536);

const BLANK = 0x20;

/**
 * Folds the units from `at` to `end` (addresses). Returns 0 at the end, otherwise the address of a unit that is peculiar or not known.
 */
export type FoldKernel = (at: number, end: number) => number;

/** Sixteen units at a time as far as they are ASCII and no white space follows white space; others one by one. */
export function assembleFoldKernel(): Uint8Array<ArrayBuffer> {
  const f = new WasmFunction();
  const at = f.param('i32');
  const end = f.param('i32');
  const [out, isAfterGap, gaps, refused, taken, left, unit, lower] = Array.from({ length: 8 }, () => f.local('i32'));
  const [one, other, octets, gap] = Array.from({ length: 4 }, () => f.local('v128'));
  const n = i32.const;

  const constants = new VectorConstants(f);
  const octet16 = (value: number): Code => constants.of(i8x16.all(value));
  /** Lanes from `first` on, this many. */
  const within = (vector: Code, first: number, count: number): Code => {
    const shifted = i8x16.sub(vector, octet16(first));
    return i8x16.equal(i8x16.least(shifted, octet16(count - 1)), shifted);
  };
  // The units 1 and 2 would be taken for what stands in place of small letters.
  const isPlain = (units: Code): Code => {
    const shifted = i16x8.sub(units, constants.of(i16x8.all(PECULIAR + 1)));
    return i16x8.equal(i16x8.least(shifted, constants.of(i16x8.all(0x80 - PECULIAR - 2))), shifted);
  };
  const plain = i8x16.bits(i8x16.narrow(isPlain(one.get), isPlain(other.get)));
  const afterGap = i32.or(i32.shiftLeft(gaps.get, n(1)), isAfterGap.get);
  const surplus = i32.and(gaps.get, afterGap);
  const lookAtMany: Code = [
    one.set(v128.load(at.get)),
    other.set(v128.load(at.get, 16)),
    octets.set(i8x16.narrowUnsigned(one.get, other.get)),
    gap.set(v128.or(i8x16.equal(octets.get, octet16(BLANK)), within(octets.get, 0x09, 5))),
    gaps.set(i8x16.bits(gap.get)),
    octets.set(i8x16.add(octets.get, v128.and(within(octets.get, 0x41, 26), octet16(0x20)))),
    v128.store(out.get, v128.select(gap.get, octet16(BLANK), octets.get)),
    refused.set(i32.or(i32.xor(plain, n(0xffff)), surplus)),
  ];
  // By far the most often. Where the next ones are is known before these were looked at.
  const takeAll: Code = [
    out.set(i32.add(out.get, n(UNITS_AT_ONCE))),
    at.set(i32.add(at.get, n(2 * UNITS_AT_ONCE))),
    isAfterGap.set(i32.shiftRight(gaps.get, n(UNITS_AT_ONCE - 1))),
  ];
  const takeSome: Code = [
    taken.set(i32.trailingZeros(i32.or(refused.get, n(1 << UNITS_AT_ONCE)))),
    left.set(i32.shiftRight(i32.sub(end.get, at.get), n(1))),
    taken.set(select(i32.less(taken.get, left.get), taken.get, left.get)),
    out.set(i32.add(out.get, taken.get)),
    at.set(i32.add(at.get, i32.shiftLeft(taken.get, n(1)))),
    isAfterGap.set(i32.and(i32.shiftRight(afterGap, taken.get), n(1))),
  ];
  const keepState: Code = [i32.store(n(OUT), out.get), i32.store(n(IS_AFTER_GAP), isAfterGap.get)];
  const octet = (place: number, first: number, shift: number): Code => {
    const bits = i32.shiftRight(lower.get, n(shift));
    return i32.storeByte(out.get, i32.or(n(first), first === 0x80 ? i32.and(bits, n(0x3f)) : bits), place);
  };
  const wrote = (count: number): Code => out.set(i32.add(out.get, n(count)));
  const writeLower: Code = when(
    i32.less(lower.get, n(0x80)),
    [i32.storeByte(out.get, lower.get), wrote(1)],
    when(
      i32.less(lower.get, n(0x800)),
      [octet(0, 0xc0, 6), octet(1, 0x80, 0), wrote(2)],
      [octet(0, 0xe0, 12), octet(1, 0x80, 6), octet(2, 0x80, 0), wrote(3)],
    ),
  );
  const writeBlank: Code = [
    i32.storeByte(out.get, n(BLANK)),
    out.set(i32.add(out.get, i32.xor(isAfterGap.get, n(1)))),
    isAfterGap.set(n(1)),
  ];
  const foldOne: Code = [
    lower.set(i32.loadShort(i32.shiftLeft(unit.get, n(1)), KNOWN)),
    when(i32.isZero(i32.and(lower.get, n(~PECULIAR))), [keepState, at.get, RETURN]),
    at.set(i32.add(at.get, n(2))),
    when(i32.equal(lower.get, n(WHITE)), writeBlank, [isAfterGap.set(n(0)), writeLower]),
    // Behind the last unit there is a 0.
    unit.set(i32.loadShort(at.get)),
  ];
  const takeRest: Code = [
    takeSome,
    when(i32.and(i32.less(taken.get, left.get), i32.less(taken.get, n(UNITS_AT_ONCE))), [
      unit.set(i32.loadShort(at.get)),
      foldOne,
      whileDo(i32.less(n(0x7f), unit.get), foldOne),
    ]),
  ];
  const body: Code = [
    constants.prepare,
    out.set(i32.load(n(OUT))),
    isAfterGap.set(i32.load(n(IS_AFTER_GAP))),
    whileDo(i32.less(at.get, end.get), [
      lookAtMany,
      when(i32.or(refused.get, i32.less(i32.sub(end.get, at.get), n(2 * UNITS_AT_ONCE))), takeRest, takeAll),
    ]),
    keepState,
    n(0),
  ];
  return assembleModule({ fold: f.with(body) }, MEMORY_PAGES);
}
