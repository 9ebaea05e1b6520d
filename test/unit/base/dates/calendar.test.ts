import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { englishMonth, fullYear, timeOf } from '../../../../src/base/dates/calendar.ts';
import { zoneMinutes } from '../../../../src/base/dates/time-zone.ts';
import { readW3cDate } from '../../../../src/base/dates/w3c-date.ts';

describe('timeOf', () => {
  test('every day that exists, and no other', () => {
    const days = fc.record({
      year: fc.integer({ min: -5, max: 10_050 }),
      month: fc.integer({ min: -1, max: 14 }),
      day: fc.integer({ min: -1, max: 33 }),
    });
    fc.assert(
      fc.property(days, ({ year, month, day }) => {
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1 && year <= 9999;
        assert.equal(timeOf({ year, month, day }), exists ? date.getTime() : undefined);
      }),
      { numRuns: 500 },
    );
  });

  test('leap seconds and the end of a day are times, later ones are none', () => {
    const day = { year: 2016, month: 12, day: 31 };
    assert.equal(timeOf({ ...day, hour: 23, minute: 59, second: 60 }), Date.UTC(2017, 0, 1));
    assert.equal(timeOf({ ...day, hour: 24 }), Date.UTC(2017, 0, 1));
    assert.equal(timeOf({ ...day, hour: 24, minute: 1 }), undefined);
    assert.equal(timeOf({ ...day, zone: Number.NaN }), undefined);
    assert.equal(timeOf({ ...day, hour: 1, zone: 120 }), Date.UTC(2016, 11, 30, 23));
  });

  test('years of two digits and months by their first letters', () => {
    assert.deepEqual(['69', '70', '0069', '1999'].map(fullYear), [2069, 1970, 69, 1999]);
    assert.deepEqual(['January', 'dec', 'Mai'].map(englishMonth), [1, 12, 0]);
  });
});

test('zones by name and offset', () => {
  const zones = ['Z', 'CEST', '+05:30', 'GMT-0330', 'UTC +2', 'America/EST', 'nowhere', '+99:00'];
  assert.deepEqual(zones.map(zoneMinutes), [0, 120, 330, -210, 120, -300, undefined, Number.NaN]);
});

test('a date of XML Schema may have a zone and no time', () => {
  assert.equal(readW3cDate(' 2011-09-24+02:00 ')?.at, Date.UTC(2011, 8, 23, 22));
  assert.equal(readW3cDate('2011-09-24Z')?.at, Date.UTC(2011, 8, 24));
  assert.equal(readW3cDate('2011-02-30'), undefined);
});
