import type { Command } from 'commander';
import { OrbweaverError } from '../base/errors.ts';
import type { Crawl, CrawlSummary } from '../crawl/crawl.ts';
import { ProgressDisplay } from './progress-display.ts';
import { addSettingOptions, settingsOf } from './setting-options.ts';

interface CrawlFlags {
  readonly dir: string;
  readonly seeds?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addCrawlCommand(program: Command, version: string): void {
  const command = program
    .command('crawl')
    .description(
      'Crawl from the given URLs into a folder. The same command resumes a crawl that was stopped or killed.',
    )
    .argument('[url...]', 'seeds; without a scheme https is assumed')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--seeds <file>', 'read seeds from a file, one per line; - reads standard input')
    .option('--json', 'print one JSON object at the end, nothing else')
    .option('--quiet', 'no progress');
  addSettingOptions(command);
  command.action(async (urls: string[], flags: CrawlFlags) => {
    await runCrawl(command, urls, flags, version);
  });
}

/** Crawls or resumes, as the flags of the command say. */
export async function runCrawl(
  command: Command,
  urls: readonly string[],
  flags: CrawlFlags,
  version: string,
): Promise<void> {
  const { settings } = await settingsOf(command, flags.dir);
  const { readSeeds } = await import('../seeds/read-seeds.ts');
  const { openCrawl } = await import('../crawl/assemble.ts');
  const seeds = await readSeeds({
    args: urls,
    ...(flags.seeds === undefined ? {} : flags.seeds === '-' ? { stdin: process.stdin } : { file: flags.seeds }),
    optional: true,
  });
  await using crawl = await openCrawl({ folder: flags.dir, settings, version });
  await crawl.addSeeds(seeds);
  if (!(await crawl.hasWork())) {
    throw new OrbweaverError(
      'NO_SEEDS',
      `There is nothing to crawl: no seed was given, and ${flags.dir} holds no crawl.`,
      {
        remedy: 'Name at least one URL, such as: orbweaver crawl https://example.org/',
      },
    );
  }
  const summary = await superviseCrawl(crawl, flags);
  if (flags.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else process.stdout.write(describe(summary, flags.dir));
  process.exitCode = exitCodeOf(summary);
}

/** Runs the crawl with live progress; the first Ctrl-C drains and saves, the second ends at once. */
export async function superviseCrawl(crawl: Crawl, flags: { json?: boolean; quiet?: boolean }): Promise<CrawlSummary> {
  const display = flags.json || flags.quiet ? undefined : new ProgressDisplay(process.stderr, crawl);
  const onSignal = (): void => {
    if (crawl.stopping) {
      display?.close();
      process.stderr.write('Stopped at once. Everything settled is kept; the same command resumes.\n');
      process.exit(130);
    }
    display?.note('Finishing what is under way (Ctrl-C again ends at once) ...');
    crawl.stop();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    return await crawl.run();
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    display?.close();
  }
}

/** 0: finished or a limit reached; 6: some hosts were left parked; 130: stopped by the user. */
function exitCodeOf(summary: CrawlSummary): number {
  if (summary.ended === 'stopped') return 130;
  return summary.ended === 'parked' ? 6 : 0;
}

export function describe(summary: CrawlSummary, folder: string): string {
  const list = (counts: Readonly<Record<string, number>>): string => {
    const parts = Object.entries(counts)
      .sort((a, b) => b[1] - a[1])
      .map(([name, count]) => `${count} ${name}`);
    return parts.length === 0 ? 'none' : parts.join(', ');
  };
  const lines = [
    `${sentenceOf(summary.ended)} ${summary.pages} pages (${summary.distinctDocuments} distinct), ${summary.requests} requests, ${megabytes(summary.bytes)}.`,
    `  refused  ${list(summary.refused)}`,
    `  failed   ${list(summary.failed)}`,
    `  queue    ${summary.frontier.queued} waiting, ${summary.frontier.parked} of them parked; ${summary.frontier.hosts} hosts, ${summary.frontier.known} URLs known`,
    `  cost     ${summary.seconds.toFixed(1)} s, ${summary.cpuSeconds.toFixed(1)} s of CPU, ${summary.maxRssMb} MB of memory at most (this run)`,
    `  folder   ${folder}`,
  ];
  return `${lines.join('\n')}\n`;
}

function sentenceOf(ended: CrawlSummary['ended']): string {
  if (ended === 'finished') return 'Finished.';
  if (ended === 'stopped') return 'Stopped; the same command resumes.';
  if (ended === 'parked')
    return 'Done, except for hosts that are parked (see status); the same command tries them again.';
  return `Paused at the ${ended}; raise it and run the same command to go on.`;
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
