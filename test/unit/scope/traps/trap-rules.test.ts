import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SETTINGS_SCHEMA } from '../../../../src/base/settings/schema.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import { createTrapRules, type TrapRuleSettings } from '../../../../src/scope/traps/trap-rules.ts';
import { taskFor } from '../tasks.ts';

const DEFAULTS: TrapRuleSettings = {
  trapPathDepth: SETTINGS_SCHEMA.trapPathDepth.fallback,
  trapRepeats: SETTINGS_SCHEMA.trapRepeats.fallback,
  trapHostLabels: SETTINGS_SCHEMA.trapHostLabels.fallback,
  trapYearsAhead: SETTINGS_SCHEMA.trapYearsAhead.fallback,
  trapYearsBack: SETTINGS_SCHEMA.trapYearsBack.fallback,
  trapParameters: SETTINGS_SCHEMA.trapParameters.fallback,
  trapSessionIds: SETTINGS_SCHEMA.trapSessionIds.fallback,
};
const clock = new VirtualClock(Date.UTC(2026, 5, 15));

function verdict(url: string, settings: Partial<TrapRuleSettings> = {}, how: 'link' | 'seed' = 'link'): string {
  for (const rule of createTrapRules({ ...DEFAULTS, ...settings }, clock)) {
    const answer = rule.judge(taskFor(url, { how }));
    if (answer.admit) continue;
    assert.equal(answer.by, 'trap');
    return answer.rule;
  }
  return 'admitted';
}

const refused: readonly (readonly [url: string, rule: string])[] = [
  [
    `https://a.org${'/x1'.repeat(1)}${Array.from({ length: 21 }, (_, i) => `/s${i}`).join('')}`,
    'trap-path-depth 20: the path has 22 segments',
  ],
  ['https://a.org/loop/loop/loop', 'trap-repeats 3: the path holds /loop 3 times in a row'],
  ['https://a.org/x/a1/b1/a1/b1/a1/b1/y.html', 'trap-repeats 3: the path holds /a1/b1 3 times in a row'],
  ['https://a.org/a/b/a/b/a/b/', 'trap-repeats 3: the path holds /a/b 3 times in a row'],
  ['https://a.org/up/x/up/y/up/z/up/w/up/', 'trap-repeats 3: the path holds /up 5 times or more'],
  ['https://a.b.c.d.e.f.g.h.i.example.org/', 'trap-host-labels 10: the host has 11 labels'],
  ['https://www.www.www.example.org/', 'trap-host-labels: the host holds the label www more than 2 times'],
  ['https://a.org/events/2031/05/', 'trap-years-ahead 2: a calendar page of 2031-05'],
  ['https://a.org/events/2029/7/3', 'trap-years-ahead 2: a calendar page of 2029-07'],
  ['https://a.org/events/2028-07', 'trap-years-ahead 2: a calendar page of 2028-07'],
  ['https://a.org/events/1820-07-01/', 'trap-years-back 200: a calendar page of 1820-07'],
  ['https://a.org/cal?day=2040-01-31', 'trap-years-ahead 2: a calendar page of 2040-01'],
  ['https://a.org/cal?calMonth=1&calYear=2040', 'trap-years-ahead 2: a calendar page of 2040-01'],
  [
    `https://a.org/?${Array.from({ length: 17 }, (_, i) => `p${i}=1`).join('&')}`,
    'trap-parameters 16: the query has 17 parameters',
  ],
  [
    'https://a.org/x?shopsid=83bc91ff07aa55d2&z=1',
    'trap-session-ids: the parameter shopsid holds what looks like a session id',
  ],
  [
    'https://a.org/x;MySession=83bc91ff07aa55d2/y',
    'trap-session-ids: the parameter MySession holds what looks like a session id',
  ],
];

const admitted = [
  'https://a.org/',
  'https://a.org/2026/05/14/a-post',
  'https://a.org/1999/12/',
  'https://a.org/1851/09/18/archives',
  'https://a.org/events/2028-06',
  'https://a.org/thread/4521/2',
  'https://a.org/thread/2040/2',
  'https://a.org/thread/2040/12',
  'https://a.org/film/2049/',
  'https://a.org/tiles/7/7/7/7',
  'https://a.org/a/a/a/a',
  'https://a.org/tiles/7/8/7/8/7/8',
  'https://a.org/a/b/a/b',
  'https://a.org/en/en/docs/en',
  'https://a.org/x?year=2040',
  'https://a.org/x?session=spring&sid=12',
  'https://a.org/x?sessions=all-of-them-together',
  'https://203.0.113.3.example.org/',
  'https://1.1.1.1/',
  'https://[2001:db8::1]/',
];

describe('the signs of a trap that a URL bears in itself', () => {
  for (const [url, rule] of refused) test(`${url.slice(0, 70)} is refused`, () => assert.equal(verdict(url), rule));
  for (const url of admitted) test(`${url} is admitted`, () => assert.equal(verdict(url), 'admitted'));

  test('seeds are exempt', () => {
    for (const [url] of refused) assert.equal(verdict(url, {}, 'seed'), 'admitted');
  });

  test('each can be switched off', () => {
    const off = Number.POSITIVE_INFINITY;
    const settings = {
      trapPathDepth: off,
      trapRepeats: off,
      trapHostLabels: off,
      trapYearsAhead: off,
      trapYearsBack: off,
      trapParameters: off,
      trapSessionIds: false,
    };
    assert.equal(createTrapRules(settings, clock).length, 0);
    assert.equal(verdict('https://a.org/events/2031/05/', { trapYearsAhead: off }), 'admitted');
    assert.match(verdict('https://a.org/events/1820/05/', { trapYearsAhead: off }), /^trap-years-back/);
  });

  test('a calendar within the window is admitted on any day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1830, max: 2027 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const two = String(month).padStart(2, '0');
        for (const path of [`${year}/${two}`, `${year}/${month}/1`, `${year}-${two}`, `?month=${month}&year=${year}`])
          assert.equal(verdict(`https://a.org/calendar/${path}`), 'admitted');
      }),
    );
  });

  test('the rules take any URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        assert.equal(typeof verdict(new URL(url).href), 'string');
      }),
    );
  });
});
