import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { RepeatChoice } from '../../../src/contracts/crawl-library.ts';
import { ownFile, prepareLibrary } from '../../../src/crawls/library-folder.ts';
import { choiceOf, describeSchedule, nextTime, scheduleOf } from '../../../src/crawls/run-times.ts';
import { Schedules } from '../../../src/crawls/schedules.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const at = (text: string): number => Date.parse(text);
const CHOICE: RepeatChoice = { repeat: 'daily', time: '02:30', weekday: '1', cron: '', timeZone: 'Europe/Berlin' };

describe('times of runs', () => {
  test('a daily run keeps its hour by the clock on the wall, also where the clock is put forward or back', () => {
    const read = scheduleOf(CHOICE, at('2026-03-27T12:00:00Z'));
    assert.ok('schedule' in read && read.schedule !== 'none');
    const times: string[] = [];
    for (let time = read.schedule.since; times.length < 3; ) {
      time = nextTime(read.schedule, time) ?? Number.NaN;
      times.push(new Date(time).toISOString());
    }
    // On the 29th there is no 02:30.
    assert.deepEqual(times, ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']);
    const autumn = nextTime(read.schedule, at('2026-10-25T00:30:00Z')) ?? 0;
    assert.equal(new Date(autumn).toISOString(), '2026-10-26T01:30:00.000Z', 'not twice in the long night');
  });

  test('choices become schedules and come back as choices', () => {
    for (const choice of [
      CHOICE,
      { ...CHOICE, repeat: 'weekly' as const, weekday: '5' },
      { ...CHOICE, repeat: 'hourly' as const, time: '03:00' },
      { ...CHOICE, repeat: 'cron' as const, cron: '*/10 8-18 * * 1-5', time: '03:00' },
    ]) {
      const read = scheduleOf(choice, 0);
      assert.ok('schedule' in read && read.schedule !== 'none');
      assert.deepEqual(choiceOf(read.schedule), choice);
      assert.ok(describeSchedule(read.schedule).length > 5);
    }
    assert.deepEqual(scheduleOf({ ...CHOICE, repeat: 'continuous' }, 0), { schedule: 'none' });
  });

  test('what cannot be read is told at its field', () => {
    const problems = (change: Partial<RepeatChoice>): string[] => {
      const read = scheduleOf({ ...CHOICE, ...change }, 0);
      return 'problems' in read ? Object.keys(read.problems) : [];
    };
    assert.deepEqual(problems({ time: '25:00' }), ['time']);
    assert.deepEqual(problems({ timeZone: 'Mars/Olympus' }), ['timeZone']);
    assert.deepEqual(problems({ repeat: 'weekly', weekday: '9' }), ['weekday']);
    for (const cron of ['', 'nope', '* * * * * *', '61 * * * *', '0 0 30 2 *', '*/0 * * * *'])
      assert.deepEqual(problems({ repeat: 'cron', cron }), ['cron'], cron);
  });
});

describe('Schedules', () => {
  test('a run is due once, and what was missed while no app ran is made up for by one', () => {
    using folder = temporaryFolder();
    prepareLibrary(folder.path);
    const clock = { time: at('2026-11-01T00:00:00Z'), now: () => clock.time };
    const schedules = new Schedules(folder.path, clock);
    schedules.set('a', { cron: '0 * * * *', timeZone: 'UTC', since: clock.time });
    assert.deepEqual(schedules.takeDue(), []);
    assert.equal(schedules.nextRun('a'), at('2026-11-01T01:00:00Z'));
    clock.time = at('2026-11-01T01:00:00Z');
    assert.deepEqual(schedules.takeDue(), ['a']);
    assert.deepEqual(schedules.takeDue(), []);
    clock.time = at('2026-11-03T12:34:00Z');
    const later = new Schedules(folder.path, clock);
    assert.equal(later.nextRun('a'), clock.time, 'due now');
    assert.deepEqual(later.takeDue(), ['a'], 'one for all 59 that were missed');
    assert.equal(new Schedules(folder.path, clock).nextRun('a'), at('2026-11-03T13:00:00Z'));
    later.set('a', undefined);
    assert.equal(new Schedules(folder.path, clock).nextRun('a'), undefined);
  });

  test('a clock that was far ahead stops no schedule for good', () => {
    using folder = temporaryFolder();
    prepareLibrary(folder.path);
    const clock = { time: at('2036-01-01T00:00:00Z'), now: () => clock.time };
    const schedules = new Schedules(folder.path, clock);
    schedules.set('a', { cron: '0 * * * *', timeZone: 'UTC', since: clock.time });
    clock.time = at('2026-11-01T00:30:00Z');
    assert.deepEqual(schedules.takeDue(), []);
    assert.equal(schedules.nextRun('a'), at('2026-11-01T01:00:00Z'));
  });

  test('a spoilt file, or a spoilt entry, starts nothing and harms no other', () => {
    using folder = temporaryFolder();
    prepareLibrary(folder.path);
    const path = ownFile(folder.path, 'schedules.json');
    const good = { cron: '0 * * * *', timeZone: 'UTC', since: 0 };
    for (const text of ['', '{', '[]', 'null', '"x"']) {
      writeFileSync(path, text);
      assert.deepEqual(new Schedules(folder.path, { now: () => 1e12 }).takeDue(), [], text);
    }
    writeFileSync(path, JSON.stringify({ a: null, b: { ...good, cron: 'x' }, c: { ...good, since: 'y' }, d: good }));
    assert.deepEqual(new Schedules(folder.path, { now: () => 1e12 }).takeDue(), ['d']);
    assert.match(readFileSync(path, 'utf8'), /"d"/);
  });
});
