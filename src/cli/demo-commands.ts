import { existsSync, rmSync } from 'node:fs';
import type { Command } from 'commander';
import { OrbweaverError } from '../base/errors.ts';
import { resolveSettings } from '../base/settings/resolve-settings.ts';
import { CrawlReader } from '../crawl/crawl-reader.ts';
import { describe, runCrawl, superviseCrawl } from './crawl-command.ts';
import { addSettingOptions } from './setting-options.ts';

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
    .description('Crawl the given URLs, or without any the built-in demo web: no network is needed.')
    .argument('[url...]')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl');
  addSettingOptions(start);
  start.action(async (urls: string[], flags: { dir: string }) => {
    if (urls.length > 0) await runCrawl(start, urls, flags, version);
    else await runDemo(version);
  });

  program
    .command('simulate')
    .description('Webs with known truth, for tests and experiments.')
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

async function runDemo(version: string): Promise<void> {
  const { DEMO_PORT, startDemoWeb } = await import('../simulate/demo-web.ts');
  const { openCrawl } = await import('../crawl/assemble.ts');
  await using web = await startDemoWeb({ port: DEMO_PORT, fallbackPort: true });
  await forgetOldDemo();
  const { settings } = resolveSettings({
    overrides: { scope: 'any', delay: 100, delayFactor: 0, allowPrivate: true, hosts: web.hostsMap() },
  });
  process.stdout.write(`Crawling the demo web (${web.web.hosts.count} hosts on this machine) into ${DEMO_FOLDER}/\n`);
  await using crawl = await openCrawl({ folder: DEMO_FOLDER, settings, version });
  await crawl.addSeeds(web.origins.slice(0, 1));
  const summary = await superviseCrawl(crawl, {});
  process.stdout.write(describe(summary, DEMO_FOLDER));
  process.stdout.write(whatNext(web.origins[0]));
}

/** The demo begins anew each time, but only a folder that it made itself is removed. */
async function forgetOldDemo(): Promise<void> {
  if (!existsSync(DEMO_FOLDER)) return;
  using reader = new CrawlReader(DEMO_FOLDER);
  const { run } = await reader.status(0);
  if (run === undefined || !run.seeds.every((seed) => new URL(seed).hostname.endsWith('.demo.test'))) {
    throw new OrbweaverError('FOLDER_IN_USE', `${DEMO_FOLDER} holds a crawl of your own.`, {
      remedy: 'Move it away, or run the demo in another directory.',
    });
  }
  rmSync(DEMO_FOLDER, { recursive: true });
}

function whatNext(home: string): string {
  const command = (rest: string): string => `  npx orbweaver ${rest} --dir ${DEMO_FOLDER}\n`;
  return [
    '\nWhat to try next:\n',
    command('status'),
    command(`explain ${home}editors/queue.html`),
    command(`get ${home} --text`),
    '  npm start -- https://example.org/      (a site of your choice; set --contact to your own page)\n',
  ].join('');
}

async function serve(flags: ServeFlags): Promise<void> {
  const { serveSyntheticWeb } = await import('../simulate/serve-synthetic-web.ts');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  await serveSyntheticWeb(
    {
      demo: flags.demo === true,
      ...(flags.spec === undefined ? {} : { spec: parseSpec(flags.spec) }),
      ...(flags.port === undefined ? {} : { port: Number(flags.port) }),
      ...(flags.addresses ? { mode: 'addresses' } : {}),
      ...(flags.log === undefined ? {} : { logFile: flags.log }),
      ...(flags.hostsFile === undefined ? {} : { hostsFile: flags.hostsFile }),
    },
    { print: (line) => process.stdout.write(`${line}\n`) },
    stop.signal,
  );
}

function parseSpec(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OrbweaverError('USAGE', `--spec is not JSON: ${(cause as Error).message}`, { cause });
  }
}
