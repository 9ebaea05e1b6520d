import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VisitCalendar } from '../../../src/revisit/visit-calendar.ts';

const DAY = 86_400_000;
const even = (): number => 10;

/** Ten visits are planned for each day but those given. */
function calendarBut(...days: readonly number[]): VisitCalendar {
  const calendar = new VisitCalendar();
  calendar.setMeanInterval(16);
  const nothing = (): number => 0;
  for (let day = 0; day < 100; day++)
    for (let visit = 0; visit < 10; visit++) if (!days.includes(day)) calendar.plan(0, (day + 0.5) * DAY, nothing);
  return calendar;
}

describe('visit calendar', () => {
  it('leaves a visit where it is wanted while enough is planned before', () => {
    assert.equal(calendarBut().plan(0, 40.25 * DAY, even), 40.25 * DAY);
  });

  it('moves a visit into a time for which little is planned, until there is enough', () => {
    const calendar = calendarBut(25);
    for (let visit = 0; visit < 9; visit++) assert.equal(calendar.plan(0, 40 * DAY, even), 25.5 * DAY);
    assert.equal(calendar.plan(0, 40 * DAY, even), 40 * DAY);
  });

  it('moves no visit far, none back, and none that is beyond what is looked ahead', () => {
    const calendar = calendarBut(10, 45);
    assert.equal(calendar.plan(0, 40 * DAY, even), 40 * DAY);
    assert.equal(calendar.plan(0, 5000 * DAY, even), 5000 * DAY);
    assert.equal(calendar.plan(0, 20 * DAY, even), 10.5 * DAY);
  });

  it('counts a visit that was hurried where it is now', () => {
    const calendar = calendarBut();
    for (let visit = 0; visit < 5; visit++) calendar.move(30.5 * DAY, 2 * DAY);
    assert.equal(calendar.plan(0, 40 * DAY, even), 30.5 * DAY);
  });

  it('is kept, and stays when intervals become others', () => {
    const calendar = new VisitCalendar(JSON.parse(JSON.stringify(calendarBut(25))));
    assert.equal(calendar.plan(0, 40 * DAY, even), 25.5 * DAY);
    calendar.setMeanInterval(48);
    const at = calendar.plan(0, 40 * DAY, even);
    assert.ok(at > 24 * DAY && at < 27 * DAY, String(at / DAY));
    assert.ok(JSON.stringify(calendar).length < 4000);
  });
});
