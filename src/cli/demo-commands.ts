import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { OrbweaverError } from '../base/errors.ts';
import { resolveSettings } from '../base/settings/resolve-settings.ts';
import { shellWord } from '../base/shell-word.ts';
import { CrawlReader } from '../crawl/crawl-reader.ts';
import { crawlAndIndex, exitCodeOf, runCrawl } from './crawl-command.ts';
import { describeSummary } from './crawl-summary.ts';
import { addSettingOptions, givenSettings, settingsOf } from './setting-options.ts';
import { addSimulateRun } from './simulate-run-command.ts';
import { wholeNumber } from './whole-number.ts';
import { writeText } from './write-text.ts';

const DEMO_FOLDER = 'orbweaver-demo';

interface ServeFlags {
  readonly demo?: boolean;
  readonly port?: string;
  readonly spec?: string;
  readonly addresses?: boolean;
  readonly log?: string;
  readonly hostsFile?: string;
}

export function addDemoCommands(program: Command, version: string): void {
  const start = program
    .command('start')
    .description(
      'Crawl the given URLs, or without any the built-in demo web (no network is needed), and serve the search page over them.',
    )
    .argument('[url...]')
    .option('--dir <folder>', `the crawl folder (default: "my-crawl", for the demo "${DEMO_FOLDER}")`)
    .option('--port <n>', 'port of the search page', '8787')
    .option('--once', 'end after the crawl, without the search page');
  addSettingOptions(start);
  start.action(async (urls: string[], flags: { dir?: string; port: string; once?: boolean }) => {
    const folder = flags.dir ?? (urls.length > 0 ? 'my-crawl' : DEMO_FOLDER);
    // The demo has a web of its own: nobody else could tell of it.
    const taking = urls.length > 0 ? { taking: { ...(await settingsOf(start, folder)), version } } : {};
    const page = { dir: folder, port: flags.port, host: '127.0.0.1', ...taking };
    const { serveFolder, tellOf, untilStopped } = await import('./serve-command.ts');
    const { PageBeside } = await import('./page-beside.ts');
    await using beside = new PageBeside(page, (opened) => tellOf(opened, folder));
    const onIndexing = (): void => (flags.once === true ? undefined : beside.begin());
    const indexed =
      urls.length > 0
        ? await runCrawl(start, urls, { dir: folder, onIndexing }, version)
        : await runDemo(start, folder, version, onIndexing);
    if (!indexed || flags.once === true || process.exitCode === 130) return;
    if (beside.url === undefined) return await serveFolder(page);
    process.stderr.write(`The search page is served at ${beside.url}; Ctrl-C ends it.\n`);
    await untilStopped();
  });

  const simulate = program.command('simulate').description('Webs with known truth, for tests and experiments.');
  addSimulateRun(simulate, version);
  simulate
    .command('serve')
    .description('Serve a synthetic web on loopback until Ctrl-C.')
    .option('--demo', 'the demo web')
    .option('--port <n>', 'port to listen on; any free one by default')
    .option('--spec <json>', 'parameters as JSON, such as {"hosts": 50, "seed": 7}; see docs/synthetic-web.md')
    .option('--addresses', 'a loopback address for each host instead of names')
    .option('--log <file>', 'append every request to a file, as JSON lines')
    .option('--hosts-file <file>', 'write names and addresses here, as in a hosts file')
    .action(serve);
}

/** True: there is something to search. */
async function runDemo(command: Command, folder: string, version: string, onIndexing: () => void): Promise<boolean> {
  const { DEMO_PORT, startDemoWeb } = await import('../simulate/demo-web.ts');
  const { openCrawl } = await import('../crawl/assemble.ts');
  await using web = await startDemoWeb({ port: DEMO_PORT, fallbackPort: true });
  // As if they stood in a settings file, so that flags beat them. The environment is meant for other crawls.
  const ofDemo = { scope: 'any', delay: '100ms', 'delay-factor': 0, 'allow-private': true, hosts: web.hostsMap() };
  const { settings } = resolveSettings({ flags: givenSettings(command), file: ofDemo });
  await forgetOldDemo(folder);
  process.stdout.write(`Crawling the demo web (${web.web.hosts.count} hosts on this machine) into ${folder}/\n`);
  await using crawl = await openCrawl({ folder, settings, version });
  await crawl.addSeeds(web.origins.slice(0, 1));
  const summary = await crawlAndIndex(crawl, folder, settings, { onIndexing });
  writeText(describeSummary(summary, folder));
  process.stdout.write(whatNext(web.origins[0], folder));
  process.exitCode = exitCodeOf(summary);
  return settings.index && summary.pages > 0;
}

/** The demo begins anew each time, but only a folder that it made itself is removed. */
async function forgetOldDemo(folder: string): Promise<void> {
  if (!existsSync(folder) || isEmptyFolder(folder)) return;
  const remedy = 'Move it away, or name another folder with --dir.';
  if (!existsSync(join(folder, 'state.db'))) {
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `${folder} exists, but is no crawl of the demo web.`, { remedy });
  }
  {
    using reader = new CrawlReader(folder);
    const { run } = await reader.status(0);
    if (run === undefined || !run.seeds.every((seed) => new URL(seed).hostname.endsWith('.demo.test'))) {
      throw new OrbweaverError('FOLDER_IN_USE', `${folder} holds a crawl of your own.`, { remedy });
    }
  }
  rmSync(folder, { recursive: true });
}

function isEmptyFolder(folder: string): boolean {
  return statSync(folder).isDirectory() && readdirSync(folder).length === 0;
}

function whatNext(home: string, folder: string): string {
  const command = (rest: string): string => `  npx orbweaver ${rest} --dir ${shellWord(folder)}\n`;
  return [
    '\nWhat to try next:\n',
    command('status'),
    command(`explain ${home}editors/queue.html`),
    command(`get ${home} --text`),
    command('search silk'),
    '  npm start -- https://example.org/      (a site of your choice; set --contact to your own page)\n',
  ].join('');
}

async function serve(flags: ServeFlags): Promise<void> {
  const { serveSyntheticWeb } = await import('../simulate/serve-synthetic-web.ts');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const serving = serveSyntheticWeb(
    {
      demo: flags.demo === true,
      ...(flags.spec === undefined ? {} : { spec: parseSpec(flags.spec) }),
      ...(flags.port === undefined ? {} : { port: wholeNumber('--port', flags.port, 0, 65_535) }),
      ...(flags.addresses ? { mode: 'addresses' } : {}),
      ...(flags.log === undefined ? {} : { logFile: flags.log }),
      ...(flags.hostsFile === undefined ? {} : { hostsFile: flags.hostsFile }),
    },
    { print: (line) => process.stdout.write(`${line}\n`) },
    stop.signal,
  );
  await serving.catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE' && cause.code !== 'EACCES') throw cause;
    throw new OrbweaverError('USAGE', `Port ${flags.port ?? 'of the demo'} cannot be used: ${cause.code}.`, {
      cause,
      remedy: 'Name another with --port; without it any free one is taken.',
    });
  });
}

function parseSpec(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OrbweaverError('USAGE', `--spec is not JSON: ${(cause as Error).message}`, { cause });
  }
}
