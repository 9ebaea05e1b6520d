import type { Settings } from '../../base/settings/schema.ts';
import type { Crawl } from '../../crawl/crawl.ts';
import { type CrawlResult, copiesHeld } from '../output/crawl-summary.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import { terminalText } from '../output/terminal-text.ts';

export interface Shown {
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** Told when the search index begins to be filled. */
  readonly onIndexing?: () => void;
}

/** Runs the crawl with live progress; the first Ctrl-C drains and saves, the second ends at once. */
export async function superviseCrawl(
  crawl: Crawl,
  folder: string,
  settings: Settings,
  flags: Shown,
): Promise<CrawlResult> {
  using display = flags.json || flags.quiet ? undefined : new ProgressDisplay(process.stderr, crawl, folder, settings);
  const onSignal = (): void => {
    if (crawl.stopping) {
      display?.[Symbol.dispose]();
      process.stderr.write('Stopped at once. Everything settled is kept; the same command resumes.\n');
      process.exit(130);
    }
    display?.note('Finishing what is under way (Ctrl-C again ends at once) ...');
    crawl.stop();
  };
  const tell = (text: string): void => {
    if (display === undefined) process.stderr.write(`${text}\n`);
    else display.note(text);
  };
  using _heard = crawl.on('warning', ({ message }) => tell(terminalText(message)));
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const summary = await crawl.run();
    const { harvest } = await crawl.progress();
    return { ...summary, ...(harvest && { harvest }), ...copiesHeld(summary, folder) };
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
