import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { addSettingOptions, givenSettings, settingsOf } from '../arguments/setting-options.ts';
import { wantsJsonLog } from '../output/crawl-log.ts';
import { untilStopped } from '../until-stopped.ts';
import { addSimulateAudit } from './simulate/audit-command.ts';
import { addSimulateRun } from './simulate/run-command.ts';
import { addSimulateServe } from './simulate/serve-command.ts';

const DEMO_FOLDER = 'orbweaver-demo';
const LIBRARY_FOLDER = 'crawls';

interface StartFlags {
  readonly dir?: string;
  readonly port: string;
  readonly demo?: boolean;
  readonly keep?: boolean;
  readonly once?: boolean;
}

export function addDemoCommands(program: Command, version: string): void {
  const start = program
    .command('start')
    .description(
      'Without a URL: open the app, where crawls are begun, watched and searched in the browser. With URLs, or --demo: crawl them and serve the search page over them.',
    )
    .argument('[url...]')
    .option(
      '--dir <folder>',
      `the crawl folder (default: "my-crawl", of the demo "${DEMO_FOLDER}"); without a URL the folder of all crawls (default: "${LIBRARY_FOLDER}")`,
    )
    .option('--port <n>', 'port to listen on; 0 for any free one', '8787')
    .option('--demo', 'crawl the built-in demo web; no network is needed')
    .option('--keep', 'with --demo: go on with the demo crawl in the folder instead of beginning again')
    .option('--once', 'end after the crawl, without the search page');
  addSettingOptions(start);
  start.action(async (urls: string[], flags: StartFlags) => {
    const isDemo = flags.demo === true;
    if (urls.length === 0 && !isDemo) return await startLibrary(start, flags);
    refuseBoth(urls, flags);
    const folder = flags.dir ?? (isDemo ? DEMO_FOLDER : 'my-crawl');
    // The demo has a web of its own: nobody else could tell of it.
    const taking = isDemo ? {} : { taking: { ...(await settingsOf(start, folder)), version } };
    const { RunMetrics } = await import('../../observe/metrics/run-metrics.ts');
    // The page shows what this run does; without one nobody would.
    const run = new RunMetrics();
    const page = { dir: folder, port: flags.port, host: '127.0.0.1', run, ...taking };
    const { serveFolder, announcePage } = await import('./serve-command.ts');
    const { PageBeside } = await import('./page-beside.ts');
    await using beside = new PageBeside(page, (opened) => announcePage(opened, folder));
    const onIndexing = (): void => (flags.once === true ? undefined : beside.begin());
    let isInterrupted = false;
    const onInterrupt = (): void => {
      isInterrupted = true;
    };
    const { runCrawl } = await import('./crawl/run-crawl.ts');
    const { runDemo } = await import('./run-demo.ts');
    const indexed = isDemo
      ? await runDemo(start, { folder, version, keep: flags.keep === true, onIndexing, onInterrupt, run })
      : await runCrawl(start, urls, { dir: folder, onIndexing, onInterrupt, run }, version);
    // Whoever stops the crawl in the browser reads on there.
    if (!indexed || flags.once === true || isInterrupted) return;
    if (beside.url === undefined) return await serveFolder(page);
    const stopped = untilStopped();
    if (!wantsJsonLog(process.argv, process.env))
      process.stderr.write(`The search page is served at ${beside.url}; Ctrl-C ends it.\n`);
    await stopped;
  });

  const simulate = program.command('simulate').description('Webs with known truth, for tests and experiments.');
  addSimulateRun(simulate, version);
  addSimulateServe(simulate);
  addSimulateAudit(simulate);
}

/** `start` without a URL: what belongs to one crawl is not asked for here, and is not passed over in silence either. */
async function startLibrary(start: Command, flags: StartFlags): Promise<void> {
  const [setting] = Object.keys(givenSettings(start));
  const given = flags.once === true ? '--once' : flags.keep === true ? '--keep' : setting && `The setting ${setting}`;
  if (given !== undefined) {
    throw new OrbweaverError('USAGE', `${given} belongs to a crawl, and none is named.`, {
      remedy: 'Name a URL, or --demo for the built-in demo web. Without both, crawls are begun in the browser.',
    });
  }
  const folder = flags.dir ?? LIBRARY_FOLDER;
  const page = { dir: folder, port: flags.port, host: '127.0.0.1' };
  const { isCrawlFolder } = await import('../../crawls/library-folder.ts');
  if (isCrawlFolder(folder)) {
    const { serveFolder } = await import('./serve-command.ts');
    return await serveFolder(page);
  }
  const { serveLibrary } = await import('./library/serve-library.ts');
  await serveLibrary(page);
}

function refuseBoth(urls: readonly string[], { demo, keep }: StartFlags): void {
  const wrong =
    demo === true && urls.length > 0
      ? '--demo goes without URLs.'
      : demo !== true && keep === true && '--keep goes with --demo.';
  if (wrong === false) return;
  throw new OrbweaverError('USAGE', wrong, { remedy: 'Leave one of them out. A crawl of URLs goes on by itself.' });
}
