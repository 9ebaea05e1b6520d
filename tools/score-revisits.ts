/**
 * Freshness and age of the re-visit policies over real change histories, replayed in virtual time:
 * `npx node tools/score-revisits.ts [--budgets 0.01,0.1,1] [--sites kubernetes.io,developer.mozilla.org]
 *   [--days 365 [--back 0]] [--seeds 1] [--every 1] [--alone]`.
 *
 * A budget is in visits per page and day. Rates are learnt from what the visits saw, beginning with nothing; "known" is the
 * same policy with each page's true mean rate over the whole record, changes to come included, as nobody could know it; "past"
 * knows at each visit all changes of the page up to then, also those that no visit saw. The first visit to a page is discovery and is free.
 * Repository-wide edits (`bulk`) are left out. "gain" is in points of freshness over uniform.
 *
 * `--days` replays so many days only, the last ones or those that ended `--back` days before: pages are as new to the planner
 * then as they are to a crawl that begins. Figures are means over the seeds; `--every 5` takes every fifth page; with `--alone`
 * a change says nothing of the pages beside it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { RevisitPolicyName } from '../src/contracts/revisit.ts';
import { type PageChangeRecord, type ReplayMeasures, replayChanges } from '../src/laboratory/replay/replay-changes.ts';
import { corpus } from '../test/corpora.ts';

const DAY = 86_400_000;

export interface ChangingSite {
  readonly site: string;
  readonly from: number;
  readonly to: number;
  readonly pages: readonly PageChangeRecord[];
}

interface Run {
  readonly policy: RevisitPolicyName;
  readonly learn: boolean;
  readonly known?: 'all' | 'past';
}

const runs: readonly Run[] = [
  { policy: 'uniform', learn: true },
  { policy: 'proportional', learn: true },
  { policy: 'freshness', learn: true },
  { policy: 'age', learn: true },
  { policy: 'freshness', learn: false, known: 'past' },
  { policy: 'freshness', learn: false, known: 'all' },
];

/** A file of the corpus: its first line tells of the site, each further one of a page, times in seconds. */
export function readSite(gzipped: Buffer): ChangingSite {
  const [head, ...lines] = gunzipSync(gzipped).toString('utf8').trimEnd().split('\n');
  const { site, end } = JSON.parse(head) as { site: string; end: number };
  const pages = lines.map((line): PageChangeRecord => {
    const { url, created, changes } = JSON.parse(line) as { url: string; created: number; changes: number[] };
    return {
      url,
      created: created * 1000,
      changes: changes.filter((time) => time > created).map((time) => time * 1000),
    };
  });
  return { site, from: Math.min(...pages.map(({ created }) => created)), to: end * 1000, pages };
}

/** Every so many pages of a site, and the days of it that are replayed. */
export function partOf(site: ChangingSite, every: number, days: number | undefined, back: number): ChangingSite {
  const pages = site.pages.filter((_, at) => at % every === 0);
  const to = site.to - back * DAY;
  const first = Math.min(...pages.map(({ created }) => created));
  return { ...site, pages, from: days === undefined ? first : Math.max(first, to - days * DAY), to };
}

function score(given: ChangingSite, visitsPerPageAndDay: number, seeds: readonly number[], alone: boolean): void {
  let uniform = 0;
  for (const { policy, learn, known } of runs) {
    const replays = seeds.map((seed) =>
      replayChanges({
        ...{ pages: given.pages, from: given.from, to: given.to, neighbours: !alone },
        ...{ policy, learn, visitsPerPageAndDay, seed },
        ...(known === undefined ? {} : { known }),
      }),
    );
    const mean = (of: (replay: ReplayMeasures) => number): number =>
      replays.reduce((sum, replay) => sum + of(replay), 0) / replays.length;
    const freshness = mean((replay) => replay.freshness);
    const { busiestDay } = replays[0];
    if (policy === 'uniform') uniform = freshness;
    const cells = [
      given.site.padEnd(22),
      `${Number((visitsPerPageAndDay * 100).toPrecision(3))} %`.padStart(6),
      `${policy}${learn ? '' : known === 'past' ? ' (past)' : ' (known)'}`.padEnd(18),
      `${(100 * freshness).toFixed(3)} %`.padStart(9),
      (100 * (freshness - uniform)).toFixed(3).padStart(7),
      `${mean((replay) => replay.ageDays).toFixed(4)} d`.padStart(10),
      mean((replay) => replay.visits)
        .toFixed(0)
        .padStart(9),
      mean((replay) => replay.useful)
        .toFixed(0)
        .padStart(7),
      `${busiestDay.visits}/${busiestDay.budget.toFixed(1)}`.padStart(13),
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
  }
}

function main(): void {
  const folder = corpus('page-changes');
  if (folder === undefined) {
    process.stderr.write('data set page-changes is not beside the checkout\n');
    process.exitCode = 1;
    return;
  }
  const { values } = parseArgs({
    options: {
      budgets: { type: 'string' },
      sites: { type: 'string' },
      days: { type: 'string' },
      back: { type: 'string', default: '0' },
      seeds: { type: 'string', default: '1' },
      every: { type: 'string', default: '1' },
      alone: { type: 'boolean', default: false },
    },
  });
  const days = values.days === undefined ? undefined : Number(values.days);
  const seeds = values.seeds.split(',').map(Number);
  const budgets = (values.budgets ?? '0.01,0.1,1').split(',').map(Number);
  const wanted = values.sites?.split(',');
  process.stdout.write(
    'site                    budget  policy              freshness     gain         age     visits   useful  busiest/budget\n',
  );
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'))) {
    if (wanted !== undefined && !wanted.includes(name.replace('.jsonl.gz', ''))) continue;
    const site = readSite(readFileSync(join(folder, name)));
    const part = partOf(site, Number(values.every), days, Number(values.back));
    for (const budget of budgets) score(part, budget, seeds, values.alone);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
