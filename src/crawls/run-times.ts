import { Cron } from 'croner';
import type { CrawlSchedule, DraftProblems, RepeatChoice } from '../contracts/crawl-library.ts';

/** Seconds would let a crawl begin before the last one is over, and years are not for crawls. */
const FIELDS = /^(?:@[a-z]+|\S+(?:\s+\S+){4})$/;

/** The first time after `after` at which a schedule runs; undefined where it never does, or cannot be read. */
export function nextTime(
  { cron, timeZone }: Pick<CrawlSchedule, 'cron' | 'timeZone'>,
  after: number,
): number | undefined {
  try {
    return new Cron(cron, { timezone: timeZone }).nextRun(new Date(after))?.getTime();
  } catch {
    return undefined;
  }
}

/** A choice of the form as a schedule; 'none' where it asks for no runs at set times. */
export function scheduleOf(
  choice: RepeatChoice,
  now: number,
): { readonly schedule: CrawlSchedule | 'none' } | { readonly problems: DraftProblems } {
  const { repeat } = choice;
  if (repeat === 'once' || repeat === 'continuous') return { schedule: 'none' };
  const timeZone = choice.timeZone.trim() || systemTimeZone();
  const problems: DraftProblems = { ...timeZoneProblem(timeZone) };
  const cron = cronOf(choice, problems);
  if (cron === undefined || Object.keys(problems).length > 0) return { problems };
  const schedule = { cron, timeZone, since: now };
  const never = 'No day is like this: such a run would never come.';
  return nextTime(schedule, now) === undefined ? { problems: { cron: never } } : { schedule };
}

/** A schedule as the answers of the form that lead to it. */
export function choiceOf({ cron, timeZone }: Pick<CrawlSchedule, 'cron' | 'timeZone'>): RepeatChoice {
  const usual = { time: '03:00', weekday: '1', cron: '', timeZone };
  if (cron === '0 * * * *') return { ...usual, repeat: 'hourly' };
  const [, minute, hour, weekday] = /^(\d{1,2}) (\d{1,2}) \* \* ([0-6]|\*)$/.exec(cron) ?? [];
  if (minute === undefined) return { ...usual, repeat: 'cron', cron };
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return weekday === '*' ? { ...usual, repeat: 'daily', time } : { ...usual, repeat: 'weekly', time, weekday };
}

export function describeSchedule(schedule: Pick<CrawlSchedule, 'cron' | 'timeZone'>): string {
  const { repeat, time, weekday, cron } = choiceOf(schedule);
  const zone = `(${schedule.timeZone})`;
  if (repeat === 'hourly') return 'every hour';
  if (repeat === 'daily') return `every day at ${time} ${zone}`;
  return repeat === 'weekly' ? `every ${WEEKDAYS[Number(weekday)]} at ${time} ${zone}` : `${cron} ${zone}`;
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

export function systemTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function cronOf({ repeat, time, weekday, cron }: RepeatChoice, problems: DraftProblems): string | undefined {
  if (repeat === 'hourly') return '0 * * * *';
  if (repeat === 'cron') {
    const problem = cronProblem(cron.trim());
    if (problem !== undefined) problems.cron = problem;
    return cron.trim();
  }
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time.trim()) ?? [];
  if (hour === undefined) problems.time = 'A time is written as 03:00.';
  if (repeat === 'daily') return `${Number(minute)} ${Number(hour)} * * *`;
  if (!/^[0-6]$/.test(weekday)) problems.weekday = 'Choose a day of the week.';
  return `${Number(minute)} ${Number(hour)} * * ${weekday}`;
}

function cronProblem(cron: string): string | undefined {
  if (!FIELDS.test(cron))
    return 'Write five fields: minute, hour, day, month, weekday. Such as 0 3 * * 1 for Mondays at three.';
  try {
    new Cron(cron);
    return undefined;
  } catch (error) {
    return `This cannot be read: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
  }
}

function timeZoneProblem(timeZone: string): DraftProblems {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return {};
  } catch {
    return { timeZone: 'There is no such time zone. Such as Europe/Berlin, or UTC.' };
  }
}
