import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import { createOrder } from '../../../../src/rank/orders/create-order.ts';
import { parseOrderMix } from '../../../../src/rank/orders/order-mix.ts';

test('a mix names kinds and weights', () => {
  assert.deepEqual(
    [...parseOrderMix('in-degree:1, opic:2,pagerank:.5')],
    [
      ['in-degree', 1],
      ['opic', 2],
      ['pagerank', 0.5],
    ],
  );
  assert.deepEqual([...parseOrderMix('topic')], [['topic', 1]]);
  assert.ok(parseOrderMix('best-first').size > 1);
});

for (const [text, remedy] of [
  ['page-rank:1', /NAME:WEIGHT.*pagerank/],
  ['', /NAME:WEIGHT/],
  ['opic:1:2', /NAME:WEIGHT/],
  ['opic:', /number from 0/],
  ['opic:-1', /number from 0/],
  ['opic:many', /number from 0/],
  ['opic:1,opic:2', /once/],
  ['opic:0', /above 0/],
] as const) {
  test(`'${text}' is refused, with what to do`, () => {
    assert.throws(
      () => parseOrderMix(text),
      (error) => error instanceof OrbweaverError && error.code === 'SETTING_INVALID' && remedy.test(error.remedy ?? ''),
    );
  });
}

test('an order needs lanes, and a boost a number', () => {
  const now = (): number => 0;
  assert.throws(() => createOrder({ order: 'best-first', lanes: 0, now }), { code: 'SETTING_INVALID' });
  const boosts = [{ pattern: { text: '/a', matches: () => true }, boost: Number.NaN }];
  assert.throws(() => createOrder({ order: 'best-first', lanes: 8, boosts, now }), { code: 'SETTING_INVALID' });
});
