import { VectorConstants } from '../../base/wasm/vector-constants.ts';
import {
  type AssembledFunction,
  type Code,
  i32,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../base/wasm/wasm-assembler.ts';
import { i8x16, v128 } from '../../base/wasm/wasm-vectors.ts';
import { STATE } from './memory-layout.ts';

/**
 * Writes the bytes from `at` to `end` to `out`, one blank for each run of white space, and returns the end of what was written. Stops
 * before the first byte that is `stop`; 256 where there is none. Control characters and the no-break space are white space. The first
 * byte is none, nor part of a no-break space.
 */
export type CollapseWhite = (at: number, end: number, out: number, stop: number) => number;

const BLANK = 0x20;
/** The no-break space in UTF-8. */
const NBSP_LEAD = 0xc2;
const NBSP_TRAIL = 0xa0;

/**
 * Sixteen bytes in which single blanks stand between words are copied as they are; others, and the last ones, are taken one by one, without
 * a branch that depends on where words end.
 */
export function collapseWhite(): AssembledFunction {
  const f = new WasmFunction();
  const [at, end, out, stop] = [f.param('i32'), f.param('i32'), f.param('i32'), f.param('i32')];
  const [limit, byte, gaps, isAfterGap, bits] = Array.from({ length: 5 }, () => f.local('i32'));
  const [bytes, allBytes] = [f.local('v128'), f.local('v128')];
  const n = i32.const;
  const constants = new VectorConstants(f);
  const all = (value: number): Code => constants.of(i8x16.all(value));

  const isNbsp = i32.and(
    i32.and(i32.equal(byte.get, n(NBSP_LEAD)), i32.less(i32.add(at.get, n(1)), end.get)),
    i32.equal(i32.loadByte(at.get, 1), n(NBSP_TRAIL)),
  );
  const takeByte: Code = [
    when(isNbsp, [byte.set(n(BLANK)), at.set(i32.add(at.get, n(1)))]),
    gaps.set(i32.less(byte.get, n(BLANK + 1))),
    i32.storeByte(out.get, select(gaps.get, n(BLANK), byte.get)),
    out.set(i32.add(out.get, i32.xor(i32.and(gaps.get, isAfterGap.get), n(1)))),
    isAfterGap.set(gaps.get),
    bits.set(i32.or(bits.get, byte.get)),
    at.set(i32.add(at.get, n(1))),
  ];
  const takeBytes = whileDo(i32.less(at.get, limit.get), [
    byte.set(i32.loadByte(at.get)),
    when(i32.equal(byte.get, stop.get), [end.set(at.get), limit.set(at.get)], takeByte),
  ]);
  const isSpecial = i8x16.bits(
    v128.or(i8x16.equal(bytes.get, constants.of(i8x16.spread(stop.get))), i8x16.equal(bytes.get, all(NBSP_LEAD))),
  );
  const isDoubleGap = i32.and(gaps.get, i32.or(i32.shiftLeft(gaps.get, n(1)), isAfterGap.get));
  const copy: Code = [
    v128.store(out.get, i8x16.most(bytes.get, all(BLANK))),
    out.set(i32.add(out.get, n(16))),
    at.set(i32.add(at.get, n(16))),
    isAfterGap.set(i32.shiftRight(gaps.get, n(15))),
    allBytes.set(v128.or(allBytes.get, bytes.get)),
  ];
  const takeSixteen: Code = [
    bytes.set(v128.load(at.get)),
    gaps.set(i8x16.bits(i8x16.equal(i8x16.least(bytes.get, all(BLANK)), bytes.get))),
    when(i32.or(isSpecial, isDoubleGap), [limit.set(i32.add(at.get, n(16))), takeBytes], copy),
  ];
  return f.with([
    constants.prepare,
    whileDo(i32.lessSigned(i32.add(at.get, n(15)), end.get), takeSixteen),
    limit.set(end.get),
    takeBytes,
    i32.store(n(STATE), at.get),
    i32.store(n(STATE), isAfterGap.get, 4),
    i32.store(n(STATE), i32.or(bits.get, i32.shiftLeft(i8x16.bits(allBytes.get), n(7))), 8),
    out.get,
  ]);
}
