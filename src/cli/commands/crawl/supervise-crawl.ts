import type { Settings } from '../../../base/settings/schema.ts';
import type { Crawl, CrawlSummary } from '../../../crawl/crawl.ts';
import type { EventLog } from '../../../observe/log/event-log.ts';
import type { RunMetrics, WatchedIndexing } from '../../../observe/metrics/run-metrics.ts';
import { openCrawlLog } from '../../output/crawl-log.ts';
import { type CrawlResult, copiesHeld } from '../../output/crawl-summary.ts';
import { ProgressDisplay } from '../../output/progress-display.ts';
import { terminalText } from '../../output/terminal-text.ts';
import { version } from '../../version.ts';

export interface Shown {
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** Told when the search index begins to be filled. */
  readonly onIndexing?: () => void;
  /** Told of Ctrl-C, or that the system asks the process to end; a crawl that was stopped over the web ends alone. */
  readonly onInterrupt?: () => void;
  /** Figures of the run that a page of this process shows as well. */
  readonly run?: RunMetrics;
  /** The index that is filled beside the crawl. */
  readonly indexing?: WatchedIndexing;
}

/** Runs the crawl with live progress; the first Ctrl-C drains and saves, the second ends at once. */
export async function superviseCrawl(
  crawl: Crawl,
  folder: string,
  settings: Settings,
  flags: Shown,
): Promise<CrawlResult> {
  const log = openCrawlLog(settings);
  let display: ProgressDisplay | undefined;
  const onSignal = (): void => {
    flags.onInterrupt?.();
    if (crawl.stopping) {
      display?.[Symbol.dispose]();
      if (log === undefined)
        process.stderr.write('Stopped at once. Everything settled is kept; the same command resumes.\n');
      process.exit(130);
    }
    log?.tell('info', 'crawl.stopping');
    display?.note('Finishing what is under way (Ctrl-C again ends at once) ...');
    crawl.stop();
  };
  // Before anything is announced: whoever reads it may signal at once.
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    await using _observed = await observed(crawl, folder, settings, flags, log);
    const isShown = !flags.json && !flags.quiet && log === undefined;
    using shown = isShown ? new ProgressDisplay(process.stderr, crawl, folder, settings) : undefined;
    display = shown;
    const tell = (text: string): void => {
      if (shown === undefined) process.stderr.write(`${text}\n`);
      else shown.note(text);
    };
    using _heard = log?.watch(crawl) ?? crawl.on('warning', ({ message }) => tell(terminalText(message)));
    log?.tell('info', 'crawl.started', { folder, version });
    const summary = await crawl.run();
    const { harvest } = await crawl.progress();
    log?.tell('info', 'crawl.ended', endedFields(summary));
    return { ...summary, ...(harvest && { harvest }), ...copiesHeld(summary, folder) };
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/** Nothing is loaded for it where nobody watches. */
async function observed(
  crawl: Crawl,
  folder: string,
  settings: Settings,
  { run, indexing }: Shown,
  log: EventLog | undefined,
): Promise<AsyncDisposable | undefined> {
  if (run === undefined && settings.metricsPort === 0 && settings.traces === '') return undefined;
  const { observeRun } = await import('../observe/observe-run.ts');
  const more = { ...(run && { run }), ...(indexing && { indexing }), ...(log && { log }) };
  return await observeRun({ crawl, folder, settings, ...more });
}

function endedFields({ ended, pages, requests, bytes, seconds, cpuSeconds, maxRssMb, outcomes }: CrawlSummary) {
  return { ended, pages, requests, bytes, seconds, cpuSeconds, maxRssMb, outcomes };
}
