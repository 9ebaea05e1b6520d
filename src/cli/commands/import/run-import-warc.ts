import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { foreignFiles } from '../../../archive/foreign/foreign-files.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/shell-word.ts';
import type { ForeignFileReport } from '../../../contracts/foreign-capture.ts';
import { openCrawl } from '../../../crawl/assemble.ts';
import { spoolFolder } from '../../../crawl/foreign/look-through.ts';
import { openHandOver } from '../../../search/indexing/handed/hand-over-ports.ts';
import { settingsOf } from '../../arguments/setting-options.ts';
import { copiesHeld } from '../../output/crawl-summary.ts';
import { failWith } from '../../output/fail-with.ts';
import { writeText } from '../../output/write-text.ts';
import { crawlAndIndex, exitCodeOf } from '../crawl/run-crawl.ts';
import { describeImport, importSummary, LookingDisplay } from './show-import.ts';

export interface ImportWarcFlags {
  readonly dir: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Takes in the pages of archives, or goes on with it. */
export async function runImportWarc(
  command: Command,
  files: readonly string[],
  flags: ImportWarcFlags,
  version: string,
): Promise<void> {
  const { refuseMaster } = await import('../../../search/indexing/master/master-place.ts');
  refuseMaster(flags.dir);
  const resolved = (await settingsOf(command, flags.dir)).settings;
  if (resolved.store !== '' || resolved.partitions > 1)
    throw new OrbweaverError('USAGE', 'Archives are imported into a folder, not into a database (store).', {
      remedy: 'Leave out --store; orbweaver migrate moves a finished folder.',
    });
  // What can be refused is refused before a folder is made.
  await foreignFiles(files);
  const settings = { ...resolved, fromWarc: files, continuous: false };
  const handOver = openHandOver(settings);
  const display = flags.json || flags.quiet ? undefined : new LookingDisplay(process.stderr);
  let reports: readonly ForeignFileReport[] = [];
  const stopping = new AbortController();
  const interrupted = (): void => stopping.abort();
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  await using crawl = await openCrawl({
    ...{ folder: flags.dir, settings, version },
    ...(handOver === undefined ? {} : { handOver }),
    archives: {
      importing: true,
      signal: stopping.signal,
      onProgress: (progress) => display?.show(progress),
      onReports: (found) => {
        reports = found;
      },
    },
  }).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
    process.exitCode = 130;
    return undefined;
  });
  display?.end();
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  if (crawl === undefined) return;
  const result = await crawlAndIndex(crawl, flags.dir, settings, flags, handOver);
  const summary = importSummary(reports, result);
  // What cannot be read alone was kept for the visits, which are over.
  if (result.ended === 'finished') await rm(spoolFolder(flags.dir), { recursive: true, force: true });
  if (flags.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else writeText(describeImport(summary, flags.dir));
  process.exitCode = exitCodeOf(result);
  if (result.ended === 'finished' && result.pages === 0 && copiesHeld(result, flags.dir).copiesHeld !== true)
    failWith(
      new OrbweaverError('NOTHING_STORED', 'The archives held no page that could be taken in.', {
        remedy: `To see why: orbweaver pages --dir ${shellWord(flags.dir)}; media types, sizes and noindex are as the settings say.`,
      }),
    );
}
