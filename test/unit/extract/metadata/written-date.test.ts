import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { dateInPath, findDate, readDate } from '../../../../src/extract/metadata/written-date.ts';

const DAY: readonly (readonly [language: string, text: string])[] = [
  ['ISO', '2019-10-19'],
  ['ISO with time and zone', '2019-10-19T00:30:00+02:00'],
  ['compact', '20191019'],
  ['compact with time', '20191019T101500Z'],
  ['RFC 822', 'Sat, 19 Oct 2019 10:00:00 +0200'],
  ['asctime', 'Sat Oct 19 10:00:00 CEST 2019'],
  ['seconds', '1571479200'],
  ['milliseconds', '1571479200000'],
  ['English', 'October 19th, 2019 3:05 pm EST'],
  ['English, short', 'Posted on Oct. 19, 2019'],
  ['United States', '10/19/2019'],
  ['day first', '19/10/2019'],
  ['German', 'Veröffentlicht am 19. Oktober 2019, 18:15 Uhr'],
  ['German, digits', '19.10.19'],
  ['Austrian blanks', '19. 10. 2019'],
  ['French', 'le 19 octobre 2019 à 10h20'],
  ['Spanish', '19 de octubre de 2019'],
  ['Portuguese', '19 de outubro de 2019'],
  ['Italian', '19 ottobre 2019'],
  ['Dutch', '19 oktober 2019'],
  ['Polish', '19 października 2019'],
  ['Czech', '19. října 2019'],
  ['Hungarian', '2019. október 19.'],
  ['Turkish', '19 Ekim 2019'],
  ['Finnish', '19. lokakuuta 2019'],
  ['Greek', '19 Οκτωβρίου 2019'],
  ['Russian', '19 октября 2019 г.'],
  ['Ukrainian', '19 жовтня 2019'],
  ['Arabic', '19 أكتوبر 2019'],
  ['Arabic digits', '١٩/١٠/٢٠١٩'],
  ['Hebrew', '19 אוקטובר 2019'],
  ['Hindi', '19 अक्टूबर 2019'],
  ['Chinese', '2019年10月19日'],
  ['Korean', '2019년 10월 19일'],
  ['Thai', '19 ตุลาคม 2562'],
];

describe('Dates as people write them', () => {
  for (const [language, text] of DAY) {
    test(`${language}: ${text}`, () => assert.equal(readDate(text)?.day, '2019-10-19'));
  }

  test('the day is the one that was written, the time an instant', () => {
    const date = readDate('2019-10-19T00:30:00+02:00');
    assert.equal(date?.day, '2019-10-19');
    assert.equal(date?.time, Date.UTC(2019, 9, 18, 22, 30));
  });

  test('times of the day and zones', () => {
    const at = (text: string): string => new Date(readDate(text)?.time ?? 0).toISOString();
    assert.equal(at('October 19, 2019 at 3:05 pm EST'), '2019-10-19T20:05:00.000Z');
    assert.equal(at('19. Oktober 2019, 18:15 Uhr'), '2019-10-19T18:15:00.000Z');
    assert.equal(at('Sat, 19 Oct 2019 10:00:00 GMT'), '2019-10-19T10:00:00.000Z');
  });

  test('month or day first: as the reader is told, else by what is possible, else by how programs write', () => {
    assert.equal(readDate('11/01/2023')?.day, '2023-01-11');
    assert.equal(readDate('11/01/2023', { monthFirst: true })?.day, '2023-11-01');
    assert.equal(readDate('11/01/2023 12:43:42')?.day, '2023-11-01');
    assert.equal(readDate('11/21/2023')?.day, '2023-11-21');
  });

  test('abbreviations of months', () => {
    assert.equal(readDate('5 Mar 2020')?.day, '2020-03-05');
    assert.equal(readDate('2. Feb. 2022')?.day, '2022-02-02');
  });

  for (const text of [
    '',
    'no date',
    '31 June 2019',
    '2019-13-01',
    '12.1.2.3',
    '10:15',
    '2019',
    'Version 1.10.2',
    '3 apples 2019',
  ]) {
    test(`no date: ${text}`, () => assert.equal(readDate(text), undefined));
  }

  test('the first of several dates', () => {
    assert.equal(findDate('from 3 May 2020 to 2020-04-01')?.day, '2020-05-03');
  });

  test('every day survives being written and read', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        (date) => {
          assert.equal(readDate(date.toISOString())?.time, Math.floor(date.getTime() / 1000) * 1000);
          const locale = date.toLocaleDateString('de-DE', { dateStyle: 'long', timeZone: 'UTC' });
          assert.equal(readDate(locale)?.day, date.toISOString().slice(0, 10));
        },
      ),
    );
  });
});

describe('Dates in paths', () => {
  for (const [path, day] of [
    ['/2019/10/19/title', '2019-10-19'],
    ['/news/2019-10-19-title', '2019-10-19'],
    ['/a/title-20191019.html', '2019-10-19'],
    ['/2019/10/title', undefined],
    ['/id/2019101/x', undefined],
  ] as const) {
    test(path, () => assert.equal(dateInPath(path)?.day, day));
  }
});
