import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Code, i32, i64, WasmFunction } from '../../../../src/base/wasm/wasm-assembler.ts';
import { startWasm } from '../../../../src/base/wasm/wasm-instance.ts';
import { i8x16, i16x8, i32x4, i64x2, v128 } from '../../../../src/base/wasm/wasm-vectors.ts';

const OTHER = 16;
const RESULT = 32;

/** What an instruction makes of two vectors. */
function vectorOf(make: (one: Code, other: Code) => Code): (one: Uint8Array, other: Uint8Array) => ArrayBuffer {
  const zero = i32.const(0);
  const body = [v128.store(zero, make(v128.load(zero), v128.load(zero, OTHER)), RESULT), zero];
  const { exports, memory } = startWasm(new WasmFunction().assemble('run', body, 1), 1);
  const octets = new Uint8Array(memory);
  return (one, other) => {
    octets.set(one);
    octets.set(other, OTHER);
    (exports.run as () => number)();
    return memory.slice(RESULT, RESULT + 16);
  };
}

const vector = fc.uint8Array({ minLength: 16, maxLength: 16 });

function assertLanes<Vector extends Uint8Array | Uint16Array | Uint32Array>(
  Lanes: new (buffer: ArrayBuffer) => Vector,
  make: (one: Code, other: Code) => Code,
  expected: (one: number, other: number) => number,
): void {
  const run = vectorOf(make);
  fc.assert(
    fc.property(vector, vector, (one, other) => {
      const [a, b] = [new Lanes(one.slice().buffer), new Lanes(other.slice().buffer)];
      assert.deepEqual(
        new Lanes(run(one, other)),
        a.map((value, lane) => expected(value, b[lane])),
      );
    }),
  );
}

test('lanes of 8, 16 and 32 bits', () => {
  assertLanes(Uint8Array, i8x16.add, (a, b) => a + b);
  assertLanes(Uint8Array, i8x16.sub, (a, b) => a - b);
  assertLanes(Uint8Array, i8x16.less, (a, b) => (a < b ? 0xff : 0));
  assertLanes(Uint8Array, i8x16.equal, (a, b) => (a === b ? 0xff : 0));
  assertLanes(Uint8Array, i8x16.least, Math.min);
  assertLanes(Uint8Array, i8x16.most, Math.max);
  assertLanes(Uint16Array, i16x8.least, Math.min);
  assertLanes(Uint16Array, i16x8.most, Math.max);
  assertLanes(Uint16Array, i16x8.add, (a, b) => a + b);
  assertLanes(
    Uint16Array,
    (a) => i16x8.shiftLeft(a, i32.const(3)),
    (a) => a << 3,
  );
  assertLanes(Uint32Array, i32x4.add, (a, b) => a + b);
  assertLanes(Uint32Array, i32x4.mul, Math.imul);
  assertLanes(
    Uint32Array,
    (a) => i32x4.shiftRight(a, i32.const(13)),
    (a) => a >>> 13,
  );
  assertLanes(
    Uint32Array,
    (a) => i32x4.shiftLeft(a, i32.const(13)),
    (a) => a << 13,
  );
  assertLanes(
    Uint32Array,
    (a) => i32x4.shiftRightSigned(a, i32.const(31)),
    (a) => (a | 0) >> 31,
  );
  assertLanes(
    Uint32Array,
    (a) => i32x4.mul(a, i32x4.all(0x85ebca6b)),
    (a) => Math.imul(a, 0x85ebca6b),
  );
  assertLanes(Uint8Array, v128.xor, (a, b) => a ^ b);
  assertLanes(Uint8Array, v128.and, (a, b) => a & b);
  assertLanes(Uint8Array, v128.or, (a, b) => a | b);
});

test('lanes are picked and widened, from the lowest on', () => {
  const octets = Uint8Array.from({ length: 16 }, (_, lane) => 200 + lane);
  const numbers = (make: (one: Code) => Code): number[] => [...new Uint8Array(vectorOf(make)(octets, octets))];
  assert.deepEqual(
    numbers((one) => i8x16.pick(one, [3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 15])),
    [3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 15].map((lane) => 200 + lane),
  );
  const widened = (make: (one: Code) => Code): number[] => [...new Uint32Array(vectorOf(make)(octets, octets))];
  assert.deepEqual(
    widened((one) => i32x4.fromLowShorts(i16x8.fromHighOctets(one))),
    [208, 209, 210, 211],
  );
  assert.deepEqual(
    widened((one) => i32x4.fromHighShorts(i16x8.fromLowOctets(one))),
    [204, 205, 206, 207],
  );
  const signed = (make: (one: Code) => Code): number[] => [...new Int32Array(vectorOf(make)(octets, octets))];
  assert.deepEqual(
    signed((one) => i32x4.fromLowShortsSigned(i16x8.fromHighOctetsSigned(one))),
    [-48, -47, -46, -45],
  );
  assert.deepEqual(
    signed((one) => i32x4.fromHighShortsSigned(i16x8.fromLowOctetsSigned(one))),
    [-52, -51, -50, -49],
  );
  assert.deepEqual(
    widened(() => i32x4.spread(i32.const(7))),
    [7, 7, 7, 7],
  );
  assert.deepEqual(
    numbers(() => i8x16.spread(i32.const(7))),
    new Array(16).fill(7),
  );
});

test('lanes are chosen, narrowed, told by a bit each, and taken out', () => {
  const swizzle = vectorOf(i8x16.swizzle);
  const narrow = vectorOf(i8x16.narrowUnsigned);
  const bits = vectorOf((one) => i32x4.spread(i8x16.bits(one)));
  const isAnySet = vectorOf((one) => i32x4.spread(v128.isAnySet(one)));
  const areAllSet = vectorOf((one) => i32x4.spread(i32x4.areAllSet(v128.and(one, i32x4.all(1)))));
  const third = vectorOf((one) => i32x4.spread(i32x4.lane(one, 2)));
  const second = vectorOf((one) => i32x4.spread(i32.fromI64(i64.shiftRight(i64x2.lane(one, 1), i64.const(32n)))));
  fc.assert(
    fc.property(vector, vector, (one, other) => {
      assert.deepEqual(
        new Uint8Array(swizzle(one, other)),
        other.map((lane) => one[lane] ?? 0),
      );
      const units = [...new Uint16Array(one.slice().buffer), ...new Uint16Array(other.slice().buffer)];
      const narrowed = Uint8Array.from(units, (unit) => (unit > 0x7fff ? 0 : Math.min(unit, 0xff)));
      assert.deepEqual(new Uint8Array(narrow(one, other)), narrowed);
      const highest = one.reduce((sum, octet, lane) => sum | ((octet >> 7) << lane), 0);
      assert.equal(new Uint32Array(bits(one, other))[0], highest);
      assert.equal(new Uint32Array(isAnySet(one, other))[3], one.some((octet) => octet !== 0) ? 1 : 0);
      const words = [...new Uint32Array(one.slice().buffer)];
      assert.equal(new Uint32Array(areAllSet(one, other))[0], words.every((word) => (word & 1) === 1) ? 1 : 0);
      assert.equal(new Uint32Array(third(one, other))[0], words[2]);
      assert.equal(new Uint32Array(second(one, other))[0], new Uint32Array(one.slice().buffer)[3]);
    }),
  );
});
