import { readTime } from '../../../src/base/dates/read-time.ts';
import { readW3cDate } from '../../../src/base/dates/w3c-date.ts';
import { parsePdfDate } from '../../../src/convert/documents/pdf/pdf-facts.ts';
import { LanguageIdentifier } from '../../../src/extract/language/language-identifier.ts';
import { dateInPath, findDate, readDate } from '../../../src/extract/metadata/written-date.ts';
import { parseHttpDate } from '../../../src/fetch/http-date.ts';
import { dateRange } from '../../../src/search/query/date-range.ts';
import { type FuzzTarget, promise, same, textOf } from '../target.ts';

const PIECES =
  'Mon Monday, 04 4. 4th May may. Mai mai 5月 2026 26 1899 9999 10:30 10.30 Uhr am um at GMT Z T - / . , (CET) published on 年 月 日 vor 3 days ago gestern 00 32 13 0000 /2026/05/04/ D:20260504103000+02';

export const dateTarget: FuzzTarget = {
  name: 'date',
  samples: [
    'Published on 4 May 2026 at 10:30',
    '2026-05-04T10:30:00Z',
    '04.05.2026',
    '/2026/05/04/title',
    'Mon, 04 May 2026 10:00:00 GMT',
    "D:20260504103000+02'00'",
  ],
  pieces: [...PIECES.split(' '), ' '],
  maxLength: 256,
  run(input) {
    const text = textOf(input);
    const found = findDate(text);
    promise(found === undefined || found.end <= text.length, 'a date lies within the text', () => found);
    readDate(text, { monthFirst: true });
    dateInPath(text);
    for (const read of [readTime, parseHttpDate, parsePdfDate]) {
      const time = read(text);
      promise(time === undefined || Number.isFinite(time), `${read.name} answers a time or none`, () => [text, time]);
    }
    promise(Number.isFinite(readW3cDate(text)?.at ?? 0), 'readW3cDate answers a time or none', () => text);
    const range = dateRange(text);
    promise(range === undefined || range.from < range.to, 'a range is not empty', () => [text, range]);
  },
};

const identifier = new LanguageIdentifier();

export const languageTarget: FuzzTarget = {
  name: 'language',
  samples: [
    'The quick brown fox jumps over the lazy dog',
    'Der schnelle braune Fuchs',
    'Быстрая коричневая лиса',
    '素早い茶色の狐',
    'الثعلب البني السريع',
  ],
  pieces: 'the der die und and le la и не は の 的 ال و ά ñ ß ğ İ ı é 1 😀 \u0301 \u200d a b'.split(' ').concat(' '),
  corpora: ['language/samples.jsonl'],
  maxLength: 3_000,
  run(input) {
    const text = textOf(input);
    const found = identifier.identify(text);
    same(identifier.identify(text), found, 'a language is found the same twice');
    promise(
      found === undefined || (found.confidence >= 0 && found.confidence <= 1.000001),
      'confidence is a share',
      () => found,
    );
  },
};
