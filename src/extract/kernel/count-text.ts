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

/** Of the bytes from `at` to `end`: those that are no white space, and one for each gap before them. */
export type TextLength = (at: number, end: number) => number;
/** Of the bytes from `at` to `end`: how many are ASCII and no white space; less than 0 where one is a digit or begins a character reference. */
export type ProseLength = (at: number, end: number) => number;

const BLANK = 0x20;
const EXCLAMATION_MARK = 0x21;
const AMPERSAND = 0x26;
const ZERO = 0x30;
const DIGITS = 10;
/** Less than any count of bytes could make up for. */
const NO_PROSE = -0x4000_0000;

export function textLength(): AssembledFunction {
  const f = new WasmFunction();
  const [at, end] = [f.param('i32'), f.param('i32')];
  const [text, isInText, length] = Array.from({ length: 3 }, () => f.local('i32'));
  const bytes = f.local('v128');
  const n = i32.const;
  const constants = new VectorConstants(f);
  const isGap = i8x16.bits(i8x16.equal(i8x16.least(bytes.get, constants.of(i8x16.all(BLANK))), bytes.get));
  const isContinued = i32.or(i32.shiftLeft(text.get, n(1)), isInText.get);
  const afterGap = i32.and(text.get, i32.xor(isContinued, n(-1)));
  return f.with([
    constants.prepare,
    isInText.set(n(1)),
    whileDo(i32.less(at.get, end.get), [
      bytes.set(v128.load(at.get)),
      text.set(i32.and(i32.xor(isGap, n(0xffff)), lanesBefore(at.get, end.get))),
      length.set(i32.add(length.get, i32.add(i32.ones(text.get), i32.ones(afterGap)))),
      isInText.set(i32.shiftRight(text.get, n(15))),
      at.set(i32.add(at.get, n(16))),
    ]),
    length.get,
  ]);
}

export function proseLength(): AssembledFunction {
  const f = new WasmFunction();
  const [at, end] = [f.param('i32'), f.param('i32')];
  const [lanes, length] = [f.local('i32'), f.local('i32')];
  const bytes = f.local('v128');
  const n = i32.const;
  const constants = new VectorConstants(f);
  const all = (value: number): Code => constants.of(i8x16.all(value));
  /** Bytes from `first` on, this many. */
  const within = (first: number, count: number): Code => {
    const shifted = i8x16.sub(bytes.get, all(first));
    return i8x16.equal(i8x16.least(shifted, all(count - 1)), shifted);
  };
  const isOther = v128.or(within(ZERO, DIGITS), i8x16.equal(bytes.get, all(AMPERSAND)));
  const isText = within(EXCLAMATION_MARK, 0x80 - EXCLAMATION_MARK);
  return f.with([
    constants.prepare,
    whileDo(i32.less(at.get, end.get), [
      bytes.set(v128.load(at.get)),
      lanes.set(lanesBefore(at.get, end.get)),
      length.set(i32.add(length.get, i32.ones(i32.and(i8x16.bits(isText), lanes.get)))),
      at.set(i32.add(at.get, n(16))),
      when(i32.and(i8x16.bits(isOther), lanes.get), [length.set(n(NO_PROSE)), at.set(end.get)]),
    ]),
    length.get,
  ]);
}

/** A bit for each of the 16 bytes at `at` that lies before `end`. */
function lanesBefore(at: Code, end: Code): Code {
  const left = i32.sub(end, at);
  const some = i32.sub(i32.shiftLeft(i32.const(1), left), i32.const(1));
  return select(i32.less(i32.const(15), left), i32.const(0xffff), some);
}
