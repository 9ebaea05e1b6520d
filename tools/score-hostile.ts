/**
 * A crawl of hostile hosts beside honest ones, with default settings but for what loopback needs:
 * `npx node tools/score-hostile.ts [--only group,case ...] [--pages 1000] [--no-control] [--no-alone] [--markdown] [--setting=value ...]`.
 * Prints one table: each case with its outcome, time, bytes and verdict. Ends with 1 where a case, or the crawl as a whole,
 * breaks a bound. Takes about ten minutes. The cases of public data sets need `../shared/corpora`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveSettings } from '../src/base/settings/resolve-settings.ts';
import type { Settings } from '../src/base/settings/schema.ts';
import { CrawlReader, type CreateCrawlSettings } from '../src/index.ts';
import { audit } from '../src/simulate/audit/audit.ts';
import { truth } from '../src/simulate/model/truth.ts';
import type { WebSpecOverrides } from '../src/simulate/model/web-spec.ts';
import { type ChildWeb, startWebProcess } from '../src/simulate/server/child-web.ts';
import { allCases } from '../test/hostile/all-cases.ts';
import { type HostileProcessOptions, startHostileProcess } from '../test/hostile/child-hostile.ts';
import type { HostileCase } from '../test/hostile/hostile-case.ts';
import type { HostileRecord } from '../test/hostile/hostile-server.ts';
import { judgeArchive, judgeCase, judgeTime } from '../test/hostile/judge-case.ts';
import { type Lateness, lateness } from '../test/hostile/lateness.ts';
import type { CrawledHost, HostileCrawlResult } from './hostile-crawl.ts';

const { FLAGS, environment } = createRequire(import.meta.url)('../bin/engine-options.cjs') as {
  readonly FLAGS: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
};

interface Options {
  readonly only?: readonly string[];
  readonly pages: number;
  readonly control: boolean;
  /** Crawl cases that took too long once more on their own. */
  readonly alone: boolean;
  readonly markdown: boolean;
  readonly settings: Partial<Settings>;
}

const CORPORA = fileURLToPath(new URL('../../shared/corpora', import.meta.url));
const DELAY_MS = 250;
const CONTROL_MS = 60_000;
/** A hostile host may make an honest one wait no longer than this, beyond what the machine makes it wait anyway. */
const MOST_LATE_MS = 1000;
/** What two threads for monsters may have, 512 MB each, and all the rest of a crawl. */
const MOST_RSS_MB = 2000;
const HONEST: WebSpecOverrides = {
  ...{ hosts: 8, linksPerPage: 12, pageBytes: [2_000, 8_000], hostNames: 'domains', crawlDelaySeconds: 0 },
  ...{ pages: { broken: 0, tooManyRequests: 0, unavailable: 0 }, robots: { broken: 0, crawlDelay: 0, slow: 0 } },
};

function readOptions(given: readonly string[]): Options {
  const flags: Record<string, string> = {};
  let only: string[] | undefined;
  let pages = 1000;
  let control = true;
  let alone = true;
  let markdown = false;
  for (let at = 0; at < given.length; at++) {
    const [name, written] = given[at].replace(/^--/, '').split(/=(.*)/s, 2);
    const value = (): string => written ?? given[++at] ?? '';
    if (name === 'only') only = value().split(',');
    else if (name === 'pages') pages = Number(value());
    else if (name === 'no-control') control = false;
    else if (name === 'no-alone') alone = false;
    else if (name === 'markdown') markdown = true;
    else flags[name] = value();
  }
  const { settings, origins } = resolveSettings({ flags });
  const chosen = Object.entries(settings).filter(([key]) => origins[key as keyof Settings] === 'flag');
  return {
    pages,
    control,
    alone,
    markdown,
    settings: Object.fromEntries(chosen),
    ...(only === undefined ? {} : { only }),
  };
}

/** Runs a crawl in a process of its own that trusts the certificate, started as the launcher starts one. */
async function crawl(settings: CreateCrawlSettings, certificate: string): Promise<HostileCrawlResult> {
  const main = fileURLToPath(new URL('./hostile-crawl.ts', import.meta.url));
  const env = { ...environment, NODE_EXTRA_CA_CERTS: certificate };
  const child = fork(main, [JSON.stringify(settings)], { execArgv: [...FLAGS], env });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the crawl ended by itself (exit code ${code})`);
  });
  exited.catch(() => {});
  const [result] = (await Promise.race([once(child, 'message'), exited])) as [HostileCrawlResult];
  return result;
}

function settingsFor(
  folder: string,
  seeds: readonly string[],
  dnsServers: readonly string[],
  more: Partial<Settings>,
): CreateCrawlSettings {
  return {
    ...{ folder, seeds, dnsServers, delay: DELAY_MS, delayFactor: 0, backoffStart: 5000 },
    // Loopback alone: what a hostile name says of other private networks is still refused.
    allowHosts: ['127.0.0.0/8'],
    maxDuration: 1_200_000,
    ...more,
  } as CreateCrawlSettings;
}

async function honestFindings(web: ChildWeb): Promise<{ missed: number; pages: number; late: Lateness }> {
  const expected = truth(web.web, { seeds: web.origins });
  const log = await web.log();
  const report = audit(log, expected, { maxParallel: 1 });
  return { missed: report.missed.count, pages: expected.urls('stored').length, late: lateness(log, DELAY_MS) };
}

interface Judged {
  readonly hostile: HostileCase;
  readonly host: CrawledHost | undefined;
  readonly record: HostileRecord;
  readonly wrong: readonly string[];
  /** Seconds of its longest visit in a crawl of its own, where that was made. */
  readonly alone?: number;
}

/**
 * All cases are put at the same instant, and large documents are read in turn: how long one of them waits for the others is a
 * property of this crowd, not of the case. What took too long and broke no other bound is judged by a crawl of its own. What the
 * crowd does to others is measured by the honest hosts, its memory and its end by the crawl as a whole.
 */
async function judgedAlone(judged: Judged, hostile: HostileProcessOptions, options: Options): Promise<Judged> {
  const { name } = judged.hostile;
  const late = judgeTime(judged.hostile, judged.host);
  if (!options.alone || late.length === 0 || judged.wrong.length > late.length) return judged;
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-hostile-alone-'));
  try {
    await using web = await startHostileProcess({ ...hostile, only: [name] });
    const certificate = join(folder, 'trusted.pem');
    writeFileSync(certificate, web.certificate);
    const settings = settingsFor(join(folder, 'crawl'), web.seeds, web.nameServers, options.settings);
    const { hosts } = await crawl(settings, certificate);
    const record = (await web.records())[name];
    return { ...judged, wrong: judgeCase(judged.hostile, hosts[name], record), alone: hosts[name]?.seconds ?? 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function row({ hostile, host, record, wrong, alone }: Judged): string[] {
  const outcomes = Object.entries(host?.outcomes ?? { 'none (host parked)': 1 });
  const written = outcomes.map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(', ');
  const seconds = (host?.seconds ?? 0).toFixed(1);
  return [
    hostile.group,
    hostile.name,
    written,
    alone === undefined ? seconds : `${seconds} (alone ${alone.toFixed(1)})`,
    (record.bytes / 1e6).toFixed(2),
    String(record.requests),
    host === undefined ? '–' : host.rssMb.toFixed(0),
    wrong.length === 0 ? 'withstood' : `BROKEN: ${wrong.join('; ')}`,
  ];
}

const COLUMNS = ['group', 'case', 'outcome', 'seconds', 'MB sent', 'requests', 'RSS after, MB', 'verdict'];

function print(rows: readonly (readonly string[])[], markdown: boolean): void {
  if (markdown) {
    console.log(`| ${COLUMNS.join(' | ')} |\n|${'---|'.repeat(COLUMNS.length)}`);
    for (const cells of rows) console.log(`| ${cells.join(' | ')} |`);
    return;
  }
  const widths = COLUMNS.map((column, i) =>
    Math.max(column.length, ...rows.map((cells) => Math.min(60, cells[i].length))),
  );
  for (const cells of [COLUMNS, ...rows])
    console.log(
      cells
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
}

function tellLate(name: string, late: Lateness): string {
  const ms = (value: number): string => `${Math.round(value)} ms`;
  return `${name}: ${late.requests} requests late by ${ms(late.median)} (median), ${ms(late.p99)} (99 %), ${ms(late.most)} (most); ${late.overSecond} by more than a second`;
}

async function control(
  options: Options,
  certificate: string,
  folder: string,
): Promise<{ late: Lateness; result: HostileCrawlResult }> {
  await using web = await startWebProcess({ ...HONEST, pagesPerHost: options.pages }, { nameServer: true });
  const settings = settingsFor(folder, web.origins, [web.nameServer as string], {
    ...options.settings,
    maxDuration: CONTROL_MS,
  });
  const result = await crawl(settings, certificate);
  return { late: lateness(await web.log(), DELAY_MS), result };
}

async function main(options: Options): Promise<boolean> {
  const corpora = existsSync(join(CORPORA, 'http-responses')) ? CORPORA : undefined;
  if (corpora === undefined) console.log(`skipped: the cases of public data sets (${CORPORA} is not there)`);
  const { cases } = allCases(corpora);
  const chosen = cases.filter(({ name, group }) => options.only?.some((one) => one === name || one === group) ?? true);
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-hostile-'));
  try {
    await using web = await startWebProcess({ ...HONEST, pagesPerHost: options.pages }, {});
    const served = { honest: web.hostsMap, ...(corpora === undefined ? {} : { corpora }) };
    await using hostile = await startHostileProcess({
      ...served,
      ...(options.only === undefined ? {} : { only: options.only }),
    });
    const certificate = join(folder, 'trusted.pem');
    writeFileSync(certificate, hostile.certificate);
    const alone = options.control ? await control(options, certificate, join(folder, 'control')) : undefined;
    const seeds = [...web.origins, ...hostile.seeds];
    const result = await crawl(
      settingsFor(join(folder, 'crawl'), seeds, hostile.nameServers, options.settings),
      certificate,
    );
    const records = await hostile.records();
    using reader = new CrawlReader(join(folder, 'crawl'));
    const bodyOf = (url: string): Promise<string | undefined> =>
      reader.get(url).then(
        ({ body }) => Buffer.from(body).toString(),
        () => undefined,
      );
    const rows: string[][] = [];
    for (const one of chosen) {
      const [host, record] = [result.hosts[one.name], records[one.name]];
      const wrong = [...judgeCase(one, host, record), ...(await judgeArchive(one, hostile.seeds, bodyOf))];
      rows.push(row(await judgedAlone({ hostile: one, host, record, wrong }, served, options)));
    }
    const broken = rows.filter((cells) => cells.at(-1) !== 'withstood').length;
    print(rows, options.markdown);
    const { missed, pages, late } = await honestFindings(web);
    const { ended, seconds, cpuSeconds, peakRssMb, longestStallMs, longestBusyMs, warnings } = result;
    const mostLate = MOST_LATE_MS + (alone?.late.most ?? 0);
    console.log(`\n${rows.length - broken} of ${rows.length} cases withstood`);
    console.log(`the crawl ended: ${ended}, after ${seconds.toFixed(0)} s and ${cpuSeconds.toFixed(0)} s of CPU`);
    console.log(`honest pages: ${pages - missed} of ${pages} fetched`);
    if (alone !== undefined) console.log(tellLate('honest hosts alone', alone.late));
    console.log(tellLate('honest hosts beside hostile ones', late));
    console.log(
      `memory at most ${peakRssMb.toFixed(0)} MB${alone === undefined ? '' : ` (honest hosts alone ${alone.result.peakRssMb.toFixed(0)} MB)`}; longest stall of the deciding thread ${longestStallMs.toFixed(0)} ms, ${longestBusyMs.toFixed(0)} ms of CPU`,
    );
    for (const warning of warnings.slice(0, 10)) console.log(`warning: ${warning}`);
    const failures = [
      ...(broken > 0 ? [`${broken} cases broke a bound`] : []),
      ...(['finished', 'held-back', 'parked', 'limit: max-wait'].includes(ended)
        ? []
        : [`the crawl did not end by itself: ${ended}`]),
      ...(missed > 0 ? [`${missed} honest pages were missed`] : []),
      ...(late.most > mostLate ? [`an honest host waited ${Math.round(late.most)} ms beyond its due time`] : []),
      ...(peakRssMb > MOST_RSS_MB ? [`more than ${MOST_RSS_MB} MB of memory`] : []),
    ];
    for (const failure of failures) console.log(`FAILED: ${failure}`);
    return failures.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
