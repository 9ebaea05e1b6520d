import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LengthTrust } from '../../../src/revisit/length-trust.ts';

const DAY = 86_400_000;
const STILL = { sameLength: true, sameText: true };
const HIDDEN = { sameLength: true, sameText: false };
const TOLD = { sameLength: false, sameText: false };
const ADS = { sameLength: false, sameText: true };

function trustAfter(looks: readonly { sameLength: boolean; sameText: boolean }[]): LengthTrust {
  const trust = new LengthTrust();
  for (const [at, look] of looks.entries()) trust.observe(look, at);
  return trust;
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

test('a length is believed after enough cases without exception, not before', () => {
  assert.equal(new LengthTrust().believed, false);
  assert.equal(trustAfter([TOLD, ...times(40, STILL)]).believed, false);
  assert.equal(trustAfter([TOLD, ...times(60, STILL)]).believed, true);
});

test('changes behind the same length end the belief, and fade', () => {
  const trust = trustAfter([...times(100, STILL), ...times(4, TOLD), ...times(3, HIDDEN)]);
  assert.equal(trust.believed, false);
  for (let day = 1; day <= 800; day++) trust.observe(day % 10 === 0 ? TOLD : STILL, day * DAY);
  assert.equal(trust.believed, true);
});

test('a length that never gives a change away is not believed, however seldom pages change', () => {
  assert.equal(trustAfter(times(100, STILL)).believed, false, 'nothing has changed yet');
  assert.equal(trustAfter([...times(99, STILL), HIDDEN]).believed, false);
  assert.equal(trustAfter([...times(99, STILL), HIDDEN, ...times(5, TOLD)]).believed, true);
});

test('other lengths of the same text make looks futile, not wrong', () => {
  const trust = trustAfter([TOLD, ...times(60, STILL), ...times(60, ADS)]);
  assert.equal(trust.believed, true);
  assert.ok(trust.restless > 0.45);
  assert.ok(trustAfter(times(60, STILL)).restless < 0.05);
});

test('a server that refuses HEAD is not asked for half a year; one that answers it otherwise than GET no more', () => {
  const trust = new LengthTrust();
  assert.equal(trust.refusesHead(0), false);
  trust.refused(DAY);
  assert.equal(trust.refusesHead(100 * DAY), true);
  assert.equal(trust.refusesHead(200 * DAY), false);
  trust.headSpoke(false, DAY);
  assert.equal(trust.refusesHead(200 * DAY), false, 'once may be chance');
  trust.headSpoke(false, DAY);
  assert.equal(trust.refusesHead(200 * DAY), true);
});

test('what is kept goes on as it was, and whatever is read is sound', () => {
  const trust = trustAfter([...times(70, STILL), TOLD]);
  trust.refused(5);
  const again = new LengthTrust(JSON.parse(JSON.stringify(trust)));
  assert.deepEqual(again.toJSON(), trust.toJSON());
  fc.assert(
    fc.property(fc.object(), (record) => {
      const odd = new LengthTrust(record as never);
      odd.observe(STILL, 1);
      assert.equal(odd.believed, false);
      assert.ok(odd.restless >= 0 && odd.restless <= 1);
    }),
    { numRuns: 50 },
  );
});
