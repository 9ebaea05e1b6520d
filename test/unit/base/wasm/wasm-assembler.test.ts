import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  assembleModule,
  block,
  type Code,
  doWhile,
  i32,
  i64,
  leave,
  RETURN,
  select,
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

test('a block that is left from within a condition: the first octet of a stretch that is odd', () => {
  const f = new WasmFunction();
  const at = f.param('i32');
  const to = f.param('i32');
  const { call, memory } = started(f, [
    whileDo(i32.less(at.get, to.get), [
      block([
        when(i32.isZero(i32.and(i32.loadByte(at.get), i32.const(1))), [leave(1)]),
        // Out of the block and the loop around it.
        leave(2),
      ]),
      at.set(i32.add(at.get, i32.const(1))),
    ]),
    at.get,
  ]);
  for (let place = 0; place < 20; place++) memory.setUint8(100 + place, place < 7 ? 4 : 9);
  assert.equal(call(100, 120), 107);
  assert.equal(call(100, 105), 105);
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

test('two functions of a module, and leaving one early', () => {
  const f = new WasmFunction();
  const value = f.param('i32');
  const g = new WasmFunction();
  const leaves = g.param('i32');
  const code = assembleModule(
    {
      twice: f.with(i32.mul(value.get, i32.const(2))),
      leave: g.with([when(leaves.get, [i32.const(1), RETURN]), i32.const(2)]),
    },
    1,
  );
  const { exports } = startWasm(code, 1);
  assert.equal((exports.twice as Numbers)(21), 42);
  assert.equal((exports.leave as Numbers)(1), 1);
  assert.equal((exports.leave as Numbers)(0), 2);
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
