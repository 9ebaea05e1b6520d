import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseFeedDate, readFeedDate } from '../../../../src/extract/feed/parse-feed-date.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

const iso = (text: string): string | undefined => {
  const at = parseFeedDate(text);
  return at === undefined ? undefined : new Date(at).toISOString();
};

describe('parseFeedDate', () => {
  test('reads RFC 822, W3C, asctime and what lies between', () => {
    const noon = '2012-02-13T12:00:00.000Z';
    for (const text of [
      'Mon, 13 Feb 2012 12:00:00 GMT',
      'Mon, 13 Feb 2012 12:00:00 +0000',
      '13 Feb 12 07:00 EST',
      'Monday, 13-Feb-2012 12:00:00 UTC',
      'Mon Feb 13 12:00:00 2012',
      'Mon Feb 13 13:00:00 +0100 2012',
      'February 13th, 2012 12:00 PM GMT',
      '2012-02-13T12:00Z',
      '2012-02-13 13:00:00 +01:00',
      '20120213T12:00:00Z',
      '2012/02/13 12:00:00 UTC',
      'lun., 13 févr. 2012 13:00:00 +0100',
      'Mo, 13 Feb 2012 13:00:00 MEZ',
    ]) {
      assert.equal(iso(text), noon, text);
    }
  });

  test('days and times that do not exist are none', () => {
    for (const text of [
      '2023-02-29',
      '30 Feb 2020',
      '2020-13-01',
      '2020-01-01T24:01:00Z',
      'yesterday',
      '12:00',
      '1',
      'x'.repeat(500),
    ]) {
      assert.equal(iso(text), undefined, text);
    }
    assert.equal(iso('2024-02-29'), '2024-02-29T00:00:00.000Z');
  });

  test('tells whether a zone was written', () => {
    assert.equal(readFeedDate('05 Jan 17 13:34:55')?.zoned, false);
    assert.equal(readFeedDate('05 Jan 17 13:34:55 GMT')?.zoned, true);
    assert.equal(readFeedDate('2017-01-05T13:34:55')?.zoned, false);
  });

  test('reads back every moment written in the two great formats', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }), (date) => {
        assert.equal(parseFeedDate(date.toISOString()), date.getTime());
        assert.equal(parseFeedDate(date.toUTCString()), Math.floor(date.getTime() / 1000) * 1000);
      }),
    );
  });

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9 :+\-TZa-z,./]{0,40}$/)),
        (text) => void parseFeedDate(text),
      ),
    );
  });

  test('the dates of the data set', { skip: skipWithout('feeds') }, () => {
    for (const line of readFileSync(join(corpus('feeds')!, 'dates.jsonl'), 'utf8')
      .trim()
      .split('\n')) {
      const { input, utc } = JSON.parse(line) as { input: string; utc: number[] | null };
      const expected = utc === null ? undefined : new Date(0).setUTCFullYear(utc[0], utc[1] - 1, utc[2]);
      const time = utc === null ? 0 : ((utc[3] * 60 + utc[4]) * 60 + utc[5]) * 1000;
      const at = parseFeedDate(input);
      assert.equal(
        at === undefined ? undefined : Math.floor(at / 1000) * 1000,
        expected === undefined ? undefined : expected + time,
        input,
      );
    }
  });
});
