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
  const [out, isAfterGap, gaps, taken, left, unit, lower] = Array.from({ length: 7 }, () => f.local('i32'));
  const [one, other, octets, gap] = Array.from({ length: 4 }, () => f.local('v128'));
  const n = i32.const;

  /** Lanes from `first` on, this many. */
  const within = (lanes: typeof i8x16 | typeof i16x8, vector: Code, first: number, count: number): Code =>
    lanes.less(lanes.sub(vector, lanes.all(first)), lanes.all(count));
  // The units 1 and 2 would be taken for what stands in place of small letters.
  const isPlain = (units: Code): Code => within(i16x8, units, PECULIAR + 1, 0x80 - PECULIAR - 1);
  const plain = i8x16.bits(i8x16.narrow(isPlain(one.get), isPlain(other.get)));
  const afterGap = i32.or(i32.shiftLeft(gaps.get, n(1)), isAfterGap.get);
  const surplus = i32.and(gaps.get, afterGap);
  const refused = i32.or(i32.xor(plain, n(0xffff)), i32.or(surplus, n(1 << UNITS_AT_ONCE)));
  const foldMany: Code = [
    one.set(v128.load(at.get)),
    other.set(v128.load(at.get, 16)),
    octets.set(i8x16.narrowUnsigned(one.get, other.get)),
    gap.set(v128.or(i8x16.equal(octets.get, i8x16.all(BLANK)), within(i8x16, octets.get, 0x09, 5))),
    gaps.set(i8x16.bits(gap.get)),
    octets.set(i8x16.add(octets.get, v128.and(within(i8x16, octets.get, 0x41, 26), i8x16.all(0x20)))),
    v128.store(out.get, v128.select(gap.get, i8x16.all(BLANK), octets.get)),
    taken.set(i32.trailingZeros(refused)),
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
  const body: Code = [
    out.set(i32.load(n(OUT))),
    isAfterGap.set(i32.load(n(IS_AFTER_GAP))),
    whileDo(i32.less(at.get, end.get), [
      foldMany,
      when(i32.and(i32.less(taken.get, left.get), i32.less(taken.get, n(UNITS_AT_ONCE))), [
        unit.set(i32.loadShort(at.get)),
        foldOne,
        whileDo(i32.less(n(0x7f), unit.get), foldOne),
      ]),
    ]),
    keepState,
    n(0),
  ];
  return assembleModule({ fold: f.with(body) }, MEMORY_PAGES);
}
