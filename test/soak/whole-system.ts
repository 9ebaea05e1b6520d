/**
 * The whole system under load and misfortune: `npm run soak -- --minutes 30 --kills 40 [--seed 1] [--out soak-report]`.
 *
 * A crawl with default settings (`orbweaver start --continuous`, with index and search page) of a web of honest sites,
 * traps, slow and hostile hosts, while readers search it. At random instants that the seed decides the process is killed,
 * stopped, deprived of its disk or of the right time; addresses go off the net and come back; pages change, move and
 * vanish. In the second part nothing more happens to the process. Then the archive, the state, the index and the log of
 * the server are compared with the truth. Ends with 1 where anything is violated.
 *
 * `--set name=value` changes a setting of the crawl, `--no-clock-jumps` and `--no-full-disk` leave those out, `--keep`
 * keeps the crawl folder in the folder of the report.
 */
import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { truth } from '../../src/simulate/model/truth.ts';
import type { SitesSpec } from '../../src/simulate/sites/sites-spec.ts';
import { Vocabulary } from '../../src/simulate/sites/vocabulary.ts';
import { planChaos } from './system/chaos-plan.ts';
import { CrawlVolume } from './system/crawl-volume.ts';
import { FakedClock } from './system/faked-clock.ts';
import { judgeIndex } from './system/judge-index.ts';
import { judgePages, missingPages } from './system/judge-pages.ts';
import { judgeRequests } from './system/judge-requests.ts';
import { resourcesOf } from './system/judge-resources.ts';
import { judgeTraps } from './system/judge-traps.ts';
import { Readers } from './system/readers.ts';
import { reportText, type SoakFigures, violationsOf, writeReport } from './system/soak-report.ts';
import { pause, SoakRun } from './system/soak-run.ts';
import { startSoakWeb } from './system/soak-web.ts';
import { pageRows } from './system/state-look.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    minutes: { type: 'string', default: '30' },
    kills: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    sites: { type: 'string', default: '4' },
    out: { type: 'string', default: 'soak-report' },
    set: { type: 'string', multiple: true, default: [] },
    'clock-jumps': { type: 'boolean', default: true },
    'full-disk': { type: 'boolean', default: true },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const spanMs = Number(values.minutes) * 60_000;
const out = resolve(values.out);
/** Misfortune ends here; the rest of the time shows whether the crawl recovers, and what it takes in the long run. */
const CHAOS_SHARE = 0.6;
/** When the time is over and pages are missing, the crawl goes on as long as it gets further, with pauses of this length ... */
const STANDSTILL_MS = 300_000;
/** ... and this much longer at most. */
const GRACE_MS = 900_000 + 2 * spanMs;
const READERS = 3;
const FIRST_EVENT_MS = 8000;
const MEGABYTES = 4000;
/** So that a soak of less than a day sees pages again; in a longer one the default holds. */
const revisitMinMs = Math.min(3_600_000, Math.max(60_000, Math.round(spanMs / 4)));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const spec: SitesSpec = {
  ...{ seed, sitesPerShape: Number(values.sites), trapHosts: 4, slowShare: 0.15 },
  // A host gives a page a second at most; a third of the time is enough for all of them.
  pagesPerSite: Math.max(30, Math.round(spanMs / 3000)),
  ...{ crawlDelayShare: 0.15, crawlDelaySeconds: 2, extraAddresses: 3 },
  history: {
    ...{ begins: Date.now(), spanMs, changing: 0.3, moving: 0.03, vanishing: 0.03 },
    ...{ outageShare: 0.2, outageMs: Math.min(60_000, spanMs / 10) },
  },
};
const logFile = join(out, 'requests.jsonl');
const hostileLog = join(out, 'hostile-requests.jsonl');
const web = await startSoakWeb(spec, logFile, hostileLog);
const expected = truth(web.web, { seeds: web.web.seeds });
const volume = new CrawlVolume(join(out, 'volume'), MEGABYTES);
const folder = join(volume.path, 'crawl');
const port = await freePort();
const settings = [
  ...['--continuous', '--allow-private', '--dns-servers', web.nameServer, '--revisit-min', `${revisitMinMs}ms`],
  ...values.set.map((pair) => `--${pair}`),
];
const clock = values['clock-jumps'] ? FakedClock.find(join(out, 'clock')) : undefined;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const command = `npm run soak -- --minutes ${values.minutes} --kills ${values.kills} --seed ${values.seed} --sites ${values.sites}`;
print(`${command}: ${web.web.hosts.count} hosts, ${expected.counts().stored} pages, crawl folder on a ${volume.kind}`);
if (clock === undefined) print('no clock jumps: they were not wanted, or libfaketime is not installed');
const run = new SoakRun({
  ...{ web, volume, folder, out, clock, print, loggedBytes: () => statSync(logFile).size },
  args: ['start', ...web.seeds, '--dir', folder, '--port', String(port), ...settings],
});
const plan = planChaos({
  ...{
    seed,
    fromMs: FIRST_EVENT_MS,
    toMs: Math.max(FIRST_EVENT_MS, CHAOS_SHARE * spanMs),
    kills: Number(values.kills),
  },
  ...{ addresses: spec.extraAddresses, clockJumps: clock !== undefined, fullDisk: values['full-disk'] },
});
// However this process ends, nothing of it is left behind.
process.on('exit', () => {
  run.abandon();
  volume.remove();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
run.start();
const words = new Vocabulary(web.web.sites[0].seed);
const readers = new Readers(`http://127.0.0.1:${port}`, READERS, seed, (number) => words.word(number % 6000));
for (const event of plan) {
  while (run.elapsedMs < event.atMs) {
    await pause(Math.min(500, event.atMs - run.elapsedMs));
    run.watch();
  }
  await run.act(event);
}
let completeAfter: number | undefined;
let fewestMissing = Number.POSITIVE_INFINITY;
let furtherAt = run.elapsedMs;
const getsFurther = (): boolean =>
  run.elapsedMs - furtherAt < STANDSTILL_MS && run.elapsedMs < spanMs + GRACE_MS && completeAfter === undefined;
while (run.elapsedMs < spanMs || getsFurther()) {
  await pause(5000);
  run.watch();
  if (completeAfter !== undefined) continue;
  const missing = missingPages(expected, web.web, pageRows(folder), Date.now());
  if (missing.length < fewestMissing) furtherAt = run.elapsedMs;
  fewestMissing = Math.min(fewestMissing, missing.length);
  if (missing.length === 0) completeAfter = run.elapsedMs / 1000;
  if (missing.length === 0)
    print(`all ${expected.counts().stored} pages are held after ${completeAfter?.toFixed(0)} s`);
}
await readers.stop();
await run.finish();
await web.tell({ order: 'flush' });
print('judging ...');
const requests = judgeRequests(logFile, hostileLog, { interruptions: run.interruptions, revisitMinMs });
const figures: SoakFigures = {
  ...{ command, settings, seconds: run.elapsedMs / 1000, completeAfter, faults: run.faults },
  kills: run.events.filter(({ what }) => what === 'kill').length,
  pages: await judgePages(expected, web.web, folder, Date.now()),
  requests,
  traps: judgeTraps(folder, requests.trapPages),
  index: await judgeIndex(folder, join(out, 'rebuilt'), queries()),
  ...{ lives: resourcesOf(run.samples), readers: readers.counts, events: run.events, samples: run.samples },
};
await web.tell({ order: 'end' });
writeReport(out, figures);
if (values.keep) cpSync(folder, join(out, 'crawl'), { recursive: true });
print(reportText(figures));
print(`report and plots: ${out}`);
process.exit(Object.keys(violationsOf(figures)).length === 0 ? 0 : 1);

/** Words and pairs of words, of every site. */
function queries(): string[] {
  return web.web.sites.flatMap(({ seed: site }, at) => {
    const own = new Vocabulary(site);
    return [own.word(at * 7), `${own.word(at * 11)} ${own.word(at * 13)}`, own.title(at, 2)];
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return free;
}
