import {
  type AssembledFunction,
  call,
  i32,
  i64,
  RETURN,
  WasmFunction,
  when,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { NEEDING } from './posting-layout.ts';

/** Places of functions in the module. */
export interface CodingPlaces {
  readonly putVarint: number;
  readonly chooseWidth: number;
  readonly packNumbers: number;
}

/** Values that fit into as many bytes are never completed by a list (patched-bits.ts). */
const SHORT_BYTES = 3;
const n = i32.const;

/** Writes a number at an address, as `ByteWriter.varint` does; returns the address behind it. */
export function putVarint(): AssembledFunction {
  const f = new WasmFunction();
  const out = f.param('i32');
  const value = f.param('i32');
  return f.with([
    whileDo(i32.less(n(0x7f), value.get), [
      i32.storeByte(out.get, i32.or(value.get, n(0x80))),
      value.set(i32.shiftRight(value.get, n(7))),
      out.set(i32.add(out.get, n(1))),
    ]),
    i32.storeByte(out.get, value.get),
    i32.add(out.get, n(1)),
  ]);
}

/** `choosePacking` of numbers whose bits are all among those of `all`: the width, and above it (8 bits) how many exceptions there are. */
export function chooseWidth(): AssembledFunction {
  const f = new WasmFunction();
  const [numbers, count, all] = Array.from({ length: 3 }, () => f.param('i32'));
  const [most, best, chosen, at, end, width, exceptions, bytes] = Array.from({ length: 8 }, () => f.local('i32'));
  const bytesOf = (bits: typeof width): ReturnType<typeof i32.add> =>
    i32.shiftRight(i32.add(i32.mul(count.get, bits.get), n(7)), n(3));
  const countAt = (width: ReturnType<typeof i32.add>): ReturnType<typeof i32.add> => i32.shiftLeft(width, n(2));
  return f.with([
    when(i32.isZero(all.get), [n(0), RETURN]),
    most.set(i32.sub(n(32), i32.leadingZeros(all.get))),
    best.set(bytesOf(most)),
    when(i32.less(best.get, n(SHORT_BYTES + 1)), [most.get, RETURN]),
    chosen.set(most.get),
    Array.from({ length: 17 }, (_, pair) => i64.store(n(NEEDING + 8 * pair), i64.const(0n))),
    at.set(numbers.get),
    end.set(i32.add(numbers.get, i32.shiftLeft(count.get, n(2)))),
    whileDo(i32.less(at.get, end.get), [
      width.set(countAt(i32.sub(n(32), i32.leadingZeros(i32.load(at.get))))),
      i32.store(width.get, i32.add(i32.load(width.get, NEEDING), n(1)), NEEDING),
      at.set(i32.add(at.get, n(4))),
    ]),
    width.set(most.get),
    whileDo(width.get, [
      exceptions.set(i32.add(exceptions.get, i32.load(countAt(width.get), NEEDING))),
      width.set(i32.sub(width.get, n(1))),
      bytes.set(
        i32.add(
          i32.add(bytesOf(width), n(1)),
          i32.mul(exceptions.get, i32.add(n(2), i32.less(n(7), i32.sub(most.get, width.get)))),
        ),
      ),
      when(i32.less(bytes.get, best.get), [
        best.set(bytes.get),
        chosen.set(i32.or(width.get, i32.shiftLeft(exceptions.get, n(8)))),
      ]),
    ]),
    chosen.get,
  ]);
}

/** Writes numbers as `writePacked` does, by what `chooseWidth` says; returns the address behind. Up to four bytes behind that are overwritten. */
export function packNumbers({ putVarint: varint }: CodingPlaces): AssembledFunction {
  const f = new WasmFunction();
  const [out, numbers, count, chosen] = Array.from({ length: 4 }, () => f.param('i32'));
  const [width, exceptions, at, end, bits, mask] = Array.from({ length: 6 }, () => f.local('i32'));
  const held = f.local('i64');
  return f.with([
    width.set(i32.and(chosen.get, n(0xff))),
    exceptions.set(i32.shiftRight(chosen.get, n(8))),
    end.set(i32.add(numbers.get, i32.shiftLeft(count.get, n(2)))),
    // Where there are exceptions the width is below that of the largest number.
    mask.set(n(-1)),
    when(exceptions.get, mask.set(i32.sub(i32.shiftLeft(n(1), width.get), n(1)))),
    when(width.get, [
      at.set(numbers.get),
      whileDo(i32.less(at.get, end.get), [
        held.set(
          i64.or(held.get, i64.shiftLeft(i64.fromI32(i32.and(i32.load(at.get), mask.get)), i64.fromI32(bits.get))),
        ),
        bits.set(i32.add(bits.get, width.get)),
        at.set(i32.add(at.get, n(4))),
        when(i32.less(n(31), bits.get), [
          i32.store(out.get, i32.fromI64(held.get)),
          out.set(i32.add(out.get, n(4))),
          held.set(i64.shiftRight(held.get, i64.const(32n))),
          bits.set(i32.sub(bits.get, n(32))),
        ]),
      ]),
      i32.store(out.get, i32.fromI64(held.get)),
      out.set(i32.add(out.get, i32.shiftRight(i32.add(bits.get, n(7)), n(3)))),
    ]),
    when(exceptions.get, [
      i32.storeByte(out.get, exceptions.get),
      out.set(i32.add(out.get, n(1))),
      at.set(numbers.get),
      whileDo(i32.less(at.get, end.get), [
        when(i32.less(mask.get, i32.load(at.get)), [
          i32.storeByte(out.get, i32.shiftRight(i32.sub(at.get, numbers.get), n(2))),
          out.set(call(varint, i32.add(out.get, n(1)), i32.shiftRight(i32.load(at.get), width.get))),
        ]),
        at.set(i32.add(at.get, n(4))),
      ]),
    ]),
    out.get,
  ]);
}
