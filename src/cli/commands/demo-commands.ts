import type { Command } from 'commander';
import { addSettingOptions, settingsOf } from '../arguments/setting-options.ts';
import { wantsJsonLog } from '../output/crawl-log.ts';
import { addSimulateAudit } from './simulate/audit-command.ts';
import { addSimulateRun } from './simulate/run-command.ts';
import { addSimulateServe } from './simulate/serve-command.ts';

const DEMO_FOLDER = 'orbweaver-demo';

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
    const { RunMetrics } = await import('../../observe/metrics/run-metrics.ts');
    // The page shows what this run does; without one nobody would.
    const run = new RunMetrics();
    const page = { dir: folder, port: flags.port, host: '127.0.0.1', run, ...taking };
    const { serveFolder, announcePage, untilStopped } = await import('./serve-command.ts');
    const { PageBeside } = await import('./page-beside.ts');
    await using beside = new PageBeside(page, (opened) => announcePage(opened, folder));
    const onIndexing = (): void => (flags.once === true ? undefined : beside.begin());
    const { runCrawl } = await import('./run-crawl.ts');
    const { runDemo } = await import('./run-demo.ts');
    const indexed =
      urls.length > 0
        ? await runCrawl(start, urls, { dir: folder, onIndexing, run }, version)
        : await runDemo(start, folder, version, { onIndexing, run });
    if (!indexed || flags.once === true || process.exitCode === 130) return;
    if (beside.url === undefined) return await serveFolder(page);
    if (!wantsJsonLog(process.argv, process.env))
      process.stderr.write(`The search page is served at ${beside.url}; Ctrl-C ends it.\n`);
    await untilStopped();
  });

  const simulate = program.command('simulate').description('Webs with known truth, for tests and experiments.');
  addSimulateRun(simulate, version);
  addSimulateServe(simulate);
  addSimulateAudit(simulate);
}
