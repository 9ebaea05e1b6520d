import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { readTime } from '../../../../src/base/dates/read-time.ts';

const MODULE = fileURLToPath(new URL('../../../../src/base/dates/read-time.ts', import.meta.url));
const NOW = Date.UTC(2026, 10, 15, 12);

const FORMS: readonly (readonly [string, number])[] = [
  ['2026-11', Date.UTC(2026, 10)],
  ['2026-11-15', Date.UTC(2026, 10, 15)],
  ['2026-11-15T17:00', Date.UTC(2026, 10, 15, 17)],
  ['2026-11-15 17:00', Date.UTC(2026, 10, 15, 17)],
  ['2026-11-15t17:00', Date.UTC(2026, 10, 15, 17)],
  ['2026-11-15  17:00:09', Date.UTC(2026, 10, 15, 17, 0, 9)],
  ['2026-11-15T17:00:09.25', Date.UTC(2026, 10, 15, 17, 0, 9, 250)],
  ['2026-11-15T17:00:09.123456Z', Date.UTC(2026, 10, 15, 17, 0, 9, 123)],
  ['2026-11-15T17:00Z', Date.UTC(2026, 10, 15, 17)],
  ['2026-11-15 17:00z', Date.UTC(2026, 10, 15, 17)],
  ['2026-11-15 18:01:09 UTC', Date.UTC(2026, 10, 15, 18, 1, 9)],
  ['2026-11-15 18:01 utc', Date.UTC(2026, 10, 15, 18, 1)],
  ['2026-11-15 18:01 GMT', Date.UTC(2026, 10, 15, 18, 1)],
  ['2026-11-15T17:00+02:00', Date.UTC(2026, 10, 15, 15)],
  ['2026-11-15 17:00 -0530', Date.UTC(2026, 10, 15, 22, 30)],
  ['2026-11-15T17:00:00+01', Date.UTC(2026, 10, 15, 16)],
  ['  2024-02-29  ', Date.UTC(2024, 1, 29)],
];

const NO_TIMES = [
  ...['', ' ', '7', '7x', 'soon', 'now', '2026', '15.11.2026', '11/15/2026', '20261115'],
  ...['2026-99-99', '2026-13-01', '2026-00-01', '2026-02-30', '2025-02-29', '2026-11-00'],
  ...['2026-11-15T', '2026-11-15T17', '2026-11-15T24:00', '2026-11-15T17:60', '2026-11-15T17:00:61', '2026-11T17:00:'],
  ...['2026-11-15Z', '2026-11-15 UTC', '2026-11-15T17:00 EST', '2026-11-15T17:00+25:00', '2026-11-15T17:00Z or so'],
];

describe('readTime', () => {
  test('reads every form, in UTC where it does not say otherwise', () => {
    for (const [text, at] of FORMS) assert.equal(readTime(text), at, text);
  });

  test('the zone of the machine is of no matter', () => {
    const program = `const { readTime } = await import(process.argv[1]);
      process.stdout.write(JSON.stringify(JSON.parse(process.argv[2]).map((text) => readTime(text))));`;
    const texts = JSON.stringify(FORMS.map(([text]) => text));
    const env = { ...process.env, TZ: 'America/New_York' };
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program, MODULE, texts], { env });
    assert.deepEqual(
      JSON.parse(stdout.toString()),
      FORMS.map(([, at]) => at),
    );
  });

  test('how long ago, where it is told the time', () => {
    assert.equal(readTime('7d', NOW), NOW - 7 * 86_400_000);
    assert.equal(readTime('12h', NOW), NOW - 12 * 3_600_000);
    assert.equal(readTime(' 1.5h ', NOW), NOW - 5_400_000);
    assert.equal(readTime('30m', NOW), NOW - 1_800_000);
    assert.equal(readTime('90s', NOW), NOW - 90_000);
    assert.equal(readTime('2w', NOW), NOW - 14 * 86_400_000);
    assert.equal(readTime('7d'), undefined);
  });

  test('what is no time is none', () => {
    for (const text of NO_TIMES) assert.equal(readTime(text, NOW), undefined, JSON.stringify(text));
  });

  test('what we print is read back', () => {
    const anyTime = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyTime, (date) => {
        const iso = date.toISOString();
        assert.equal(readTime(iso), date.getTime());
        const printed = `${iso.slice(0, 19).replace('T', ' ')} UTC`;
        assert.equal(readTime(printed), Math.floor(date.getTime() / 1000) * 1000);
      }),
    );
  });
});
