import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { addSettingOptions, settingsOf } from '../arguments/setting-options.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import { addSimulateRun } from './simulate-run-command.ts';

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
    const { serveFolder, announcePage, untilStopped } = await import('./serve-command.ts');
    const { PageBeside } = await import('./page-beside.ts');
    await using beside = new PageBeside(page, (opened) => announcePage(opened, folder));
    const onIndexing = (): void => (flags.once === true ? undefined : beside.begin());
    const { runCrawl } = await import('./run-crawl.ts');
    const { runDemo } = await import('./run-demo.ts');
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

async function serve(flags: ServeFlags): Promise<void> {
  const { serveSyntheticWeb } = await import('../../simulate/server/serve-synthetic-web.ts');
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
