/**
 * A continuous crawl of the changing synthetic web over HTTP, in compressed time, against what the laboratory predicts for
 * the same pages, policy and budget: `npx node tools/score-continuous.ts [--policy freshness] [--seconds 120] [--days 60]
 * [--budget 0.2]`. The budget is in visits per page and day. What the pages were and when they were asked for comes from
 * the server alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { resolveSettings } from '../src/base/settings/resolve-settings.ts';
import type { Settings } from '../src/base/settings/schema.ts';
import type { RevisitPolicyName } from '../src/contracts/revisit.ts';
import { openCrawl } from '../src/crawl/assemble.ts';
import { type PageChangeRecord, replayChanges } from '../src/laboratory/replay/replay-changes.ts';
import { PLAIN_SHARES } from '../src/simulate/model/web-spec.ts';
import { startSyntheticWeb } from '../src/simulate/server/web-server.ts';
import { ScaledClock } from './scaled-clock.ts';

const DAY = 86_400_000;

interface PageVisits extends PageChangeRecord {
  readonly visits: number[];
}

/** Share of the time since each page's first visit in which the copy was as the page was. */
function trueFreshness(pages: readonly PageVisits[], from: number, to: number): number {
  let fresh = 0;
  let all = 0;
  for (const { visits, changes } of pages) {
    for (let at = 0; at < visits.length; at++) {
      const start = Math.max(from, visits[at]);
      const end = Math.min(to, visits[at + 1] ?? to);
      if (end <= start) continue;
      const spoilt = changes.find((change) => change > visits[at]) ?? Number.POSITIVE_INFINITY;
      fresh += Math.max(0, Math.min(end, spoilt) - start);
      all += end - start;
    }
  }
  return fresh / all;
}

const { values } = parseArgs({
  options: {
    policy: { type: 'string', default: 'freshness' },
    seconds: { type: 'string', default: '120' },
    days: { type: 'string', default: '60' },
    budget: { type: 'string', default: '0.2' },
    hosts: { type: 'string', default: '20' },
    pages: { type: 'string', default: '20' },
  },
});
const policy = values.policy as RevisitPolicyName;
/** Pages are found at the usual pace; then time runs fast. */
let clock: Clock = systemClock;
const begun = clock.now();
await using web = await startSyntheticWeb(
  {
    ...PLAIN_SHARES,
    ...{ hosts: Number(values.hosts), pagesPerHost: Number(values.pages), seed: 3, pageBytes: [2000, 4000] },
    ...{ changingShare: 0.8, changesPerDay: [0.01, 2], changesSince: begun - 30 * DAY },
    sites: { ...PLAIN_SHARES.sites, validators: 0.5 },
  },
  { now: () => clock.now() },
);
const folder = mkdtempSync(join(tmpdir(), 'orbweaver-continuous-'));
const pageCount = web.web.pageCount;
const requestsPerDay = Math.round(Number(values.budget) * pageCount);
/** Timeouts and leases count in the compressed time too; no setting allows as much. */
const PATIENT = {
  connectTimeout: DAY,
  headersTimeout: DAY,
  bodyTimeout: DAY,
  totalTimeout: DAY,
  lease: 2 * DAY,
  minRate: 0,
};
const settingsOf = (continuous: boolean): Settings => ({
  ...resolveSettings({
    overrides: {
      ...{ scope: 'any', delay: 0, delayFactor: 0, sitemaps: 'off', workers: 0, allowPrivate: true },
      ...{ hosts: web.hostsMap(), robots: false, softNotFound: false, trapLearning: false, mirrors: false },
      ...{ continuous, revisitPolicy: policy, requestsPerDay, revisitMin: 3_600_000, revisitMax: 60 * DAY },
      ...(continuous ? { maxDuration: Number(values.days) * DAY } : {}),
    },
  }).settings,
  ...PATIENT,
});
const settings = settingsOf(true);
try {
  for (const continuous of [false, true]) {
    if (continuous) clock = new ScaledClock(systemClock, (Number(values.days) * 86_400) / Number(values.seconds));
    await using crawl = await openCrawl({ folder, settings: settingsOf(continuous), version: '0', clock });
    if (!continuous) await crawl.addSeeds(web.origins);
    await crawl.run();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const ended = clock.now();
const visits = new Map<number, number[]>();
let requests = 0;
for (const { located, arrive, status } of web.log) {
  requests++;
  if (located.kind !== 'page' || (status !== 200 && status !== 304)) continue;
  const known = visits.get(located.id);
  if (known === undefined) visits.set(located.id, [arrive]);
  else known.push(arrive);
}
const pages = [...visits].map(([page, times]): PageVisits => {
  const changes: number[] = [];
  const first = web.web.versionAt(page, times[0]);
  const last = web.web.versionAt(page, ended);
  for (let version = first + 1; version <= last; version++) changes.push(web.web.changedAt(page, version));
  return { url: web.web.url(page), created: times[0], changes, visits: times };
});
const from = Math.max(...pages.map(({ created }) => created));
const days = (ended - from) / DAY;
const again = pages.reduce((sum, page) => sum + page.visits.filter((at) => at > from).length, 0);
const measured = trueFreshness(pages, from, ended);
const lab = (which: RevisitPolicyName) =>
  replayChanges({
    ...{
      pages: pages.map((page) => ({ ...page, created: from })),
      from,
      to: ended,
      policy: which,
      learn: true,
      seed: 1,
    },
    visitsPerPageAndDay: requestsPerDay / pages.length,
    lastModified: false,
    minIntervalMs: settings.revisitMin,
    maxIntervalMs: settings.revisitMax,
  });
const predicted = lab(policy);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
console.log(`${pages.length} pages, ${requests} requests, ${days.toFixed(1)} days in ${values.seconds} s`);
console.log(`budget     ${requestsPerDay} visits a day; made ${(again / days).toFixed(1)} a day`);
console.log(
  `freshness  measured ${percent(measured)}, predicted ${percent(predicted.freshness)}: ${(100 * (measured - predicted.freshness)).toFixed(1)} points apart`,
);
for (const other of ['uniform', 'proportional'] as const)
  console.log(`           ${other} would have ${percent(lab(other).freshness)}`);
