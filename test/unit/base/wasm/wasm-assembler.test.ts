import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Code,
  doWhile,
  i8x16,
  i16x8,
  i32,
  i32x4,
  i64,
  i64x2,
  select,
  v128,
  WasmFunction,
  when,
  whileDo,
} from '../../../../src/base/wasm/wasm-assembler.ts';
import { compileWasm, startGrowing, startWasm } from '../../../../src/base/wasm/wasm-instance.ts';

type Numbers = (...args: number[]) => number;

function started(f: WasmFunction, body: Code): { call: Numbers; memory: DataView } {
  const { exports, memory } = startWasm(f.assemble('call', body, 1), 1);
  return { call: exports.call as Numbers, memory: new DataView(memory) };
}

test('constants of any size come through', () => {
  fc.assert(
    fc.property(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (small, large) => {
      const { call, memory } = started(new WasmFunction(), [
        i64.store(i32.const(8), i64.const(large)),
        i32.const(small),
      ]);
      assert.equal(call(), small);
      assert.equal(memory.getBigInt64(8, true), large);
    }),
    { numRuns: 50 },
  );
});

test('parameters, variables and loops: the sum of the octets of a stretch', () => {
  const f = new WasmFunction();
  const at = f.param('i32');
  const to = f.param('i32');
  const sum = f.local('i32');
  const { call, memory } = started(f, [
    whileDo(i32.less(at.get, to.get), [
      sum.set(i32.add(sum.get, i32.loadByte(at.get))),
      at.set(i32.add(at.get, i32.const(1))),
    ]),
    sum.get,
  ]);
  for (let n = 0; n < 200; n++) memory.setUint8(1000 + n, n);
  assert.equal(call(1000, 1200), (199 * 200) / 2);
  assert.equal(call(1200, 1200), 0);
});

test('either way of a condition, and a loop that runs at least once', () => {
  const f = new WasmFunction();
  const n = f.param('i32');
  const steps = f.local('i32');
  const odd = i32.and(n.get, i32.const(1));
  const half = n.set(i32.shiftRight(n.get, i32.const(1)));
  const tripled = i32.add(i32.add(n.get, n.get), i32.add(n.get, i32.const(1)));
  const { call } = started(f, [
    doWhile(
      [when(odd, n.set(tripled), half), steps.set(i32.add(steps.get, i32.const(1)))],
      i32.less(i32.const(1), n.get),
    ),
    select(i32.less(steps.get, i32.const(1000)), steps.get, i32.const(-1)),
  ]);
  assert.equal(call(27), 111);
  assert.equal(call(2), 1);
});

test('words of 64 bits, at odd addresses too', () => {
  const f = new WasmFunction();
  const a = f.param('i32');
  const b = f.param('i32');
  const difference = i64.xor(i64.load(a.get), i64.load(b.get, 3));
  const { call, memory } = started(f, i32.fromI64(i64.shiftRight(i64.trailingZeros(difference), i64.const(3n))));
  for (const [at, octet] of [...'commonly', ...'___commodore'].entries()) memory.setUint8(65 + at, octet.charCodeAt(0));
  assert.equal(call(65, 73), 5);
});

test('sixteen octets at once', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
  const lanes = (value: Code): ((one: Uint8Array, other: Uint8Array) => Uint8Array) => {
    const { call, memory } = started(new WasmFunction(), [
      // One half after the other, as there is no need of an instruction that stores them all.
      ...[0, 1].map((lane) => i64.store(i32.const(32 + 8 * lane), i64x2.lane(value, lane))),
      i32.const(0),
    ]);
    return (one, other) => {
      new Uint8Array(memory.buffer).set([...one, ...other]);
      call();
      return new Uint8Array(memory.buffer, 32, 16).slice();
    };
  };
  const one = v128.load(i32.const(0));
  const other = v128.load(i32.const(0), 16);
  const wide = (octets: Uint8Array): Uint16Array => new Uint16Array(octets.slice().buffer);
  const octetsOf = (values: readonly number[]): Uint8Array => new Uint8Array(Uint16Array.from(values).buffer);
  const expected: [Code, (a: Uint8Array, b: Uint8Array) => Uint8Array][] = [
    [v128.and(one, other), (a, b) => a.map((octet, i) => octet & b[i])],
    [v128.or(one, other), (a, b) => a.map((octet, i) => octet | b[i])],
    [v128.xor(one, other), (a, b) => a.map((octet, i) => octet ^ b[i])],
    [v128.and(one, v128.const(Array<number>(16).fill(15))), (a) => a.map((octet) => octet & 15)],
    [i8x16.swizzle(one, other), (a, b) => b.map((place) => a[place] ?? 0)],
    [i8x16.equal(one, other), (a, b) => a.map((octet, i) => (octet === b[i] ? 255 : 0))],
    [i8x16.sub(one, other), (a, b) => a.map((octet, i) => octet - b[i])],
    [i8x16.min(one, other), (a, b) => a.map((octet, i) => Math.min(octet, b[i]))],
    [i16x8.min(one, other), (a, b) => octetsOf([...wide(a)].map((unit, i) => Math.min(unit, wide(b)[i])))],
    [i16x8.shiftLeft(one, i32.const(3)), (a) => octetsOf([...wide(a)].map((unit) => unit << 3))],
    [
      i8x16.narrow(one, other),
      (a, b) => Uint8Array.from([...wide(a), ...wide(b)], (unit) => (unit > 0x7fff ? 0 : Math.min(unit, 255))),
    ],
    [
      i32x4.mul(one, other),
      (a, b) => {
        const [factors, others] = [new Int32Array(a.slice().buffer), new Int32Array(b.slice().buffer)];
        return new Uint8Array(factors.map((factor, i) => Math.imul(factor, others[i])).buffer);
      },
    ],
  ];
  const computed = expected.map(([code, plain]) => [lanes(code), plain] as const);
  const mask = started(new WasmFunction(), i8x16.bitmask(one));
  const isAny = started(new WasmFunction(), v128.isAnySet(one));
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      for (const [compute, plain] of computed) assert.deepEqual(compute(a, b), plain(a, b));
      for (const { memory } of [mask, isAny]) new Uint8Array(memory.buffer).set(a);
      assert.equal(
        mask.call(),
        a.reduce((bits, octet, i) => bits | ((octet >> 7) << i), 0),
      );
      assert.equal(isAny.call(), a.some((octet) => octet !== 0) ? 1 : 0);
    }),
  );
});

test('memory that grows keeps what is in it', () => {
  const f = new WasmFunction();
  const at = f.param('i32');
  const module = compileWasm(f.assemble('call', i32.load(at.get), 1, 3));
  const { memory, exports } = startGrowing(module, 1, 3);
  new DataView(memory.buffer).setInt32(4, 42, true);
  memory.grow(2);
  assert.equal(memory.buffer.byteLength, 3 * 65_536);
  assert.equal((exports.call as Numbers)(4), 42);
  assert.equal((exports.call as Numbers)(2 * 65_536), 0);
});
