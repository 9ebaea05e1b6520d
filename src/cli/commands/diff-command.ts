import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { shellWord } from '../../base/shell-word.ts';
import { type AskedCrawl, addCrawlOptions, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { askedTime } from '../arguments/asked-time.ts';
import { wholeNumber } from '../arguments/whole-number.ts';

interface DiffFlags extends AskedCrawl {
  readonly context: string;
  readonly json?: boolean;
}

/** Beyond this only the beginnings of two texts are compared. */
const MAX_COMPARED = 2_000_000;
/** Copies read in search of the last change: some 3 ms each, for a page of usual length. */
const MOST_READ = 1000;

/** `diff`: what changed in the main text of a page between two stored copies. */
export function addDiffCommand(program: Command): void {
  addCrawlOptions(
    program
      .command('diff')
      .description(
        'What changed in headline and main text of a page between two copies; without times, the last change.',
      )
      .argument('<url>')
      .argument('[from]', 'the copy nearest to a time, such as 2026-11-15T12:00 or 7d (ago); `versions` lists them')
      .argument('[to]', 'the other copy (default: the newest)'),
  )
    .option('--context <n>', 'unchanged paragraphs to show around a change', '2')
    .option('--json', 'as one JSON object')
    .action(async (url: string, from: string | undefined, to: string | undefined, flags: DiffFlags) => {
      await showDiff(url, from, to, flags);
    });
}

async function showDiff(asked: string, from: string | undefined, to: string | undefined, flags: DiffFlags) {
  const now = systemClock.now();
  const context = wholeNumber('--context', flags.context, 0, 100);
  const times = {
    ...(from === undefined ? {} : { from: askedTime('The time', from, now) }),
    ...(to === undefined ? {} : { to: askedTime('The time', to, now) }),
  };
  const { CrawlFolderReader } = await import('../../web/crawl-folder-reader.ts');
  const { textDiff } = await import('../../web/copies/text-diff.ts');
  const { lastChange } = await import('../../web/copies/last-change.ts');
  const { comparedVersions } = await import('../arguments/compared-versions.ts');
  const { reportOfAsked } = await import('../arguments/asked-url.ts');
  using reader = await openAskedCrawl(flags, 'urls');
  const { url } = await reportOfAsked(reader, asked);
  const versions = await reader.versions(url);
  const named = comparedVersions(versions, { url, crawl: reader, ...times });
  const copies = new CrawlFolderReader(reader);
  // Where a copy cannot be read, the one nearest to it is better than none.
  const textOf = async (version: (typeof versions)[number]): Promise<string> =>
    ((await copies.comparedTextOf(version)) ?? (await copies.comparedText(url, version.date)) ?? '').slice(
      0,
      MAX_COMPARED,
    );
  const { older, newer, blocks, ...last } =
    named === undefined
      ? await lastChange(versions, textOf, MOST_READ)
      : {
          older: named[0],
          newer: named[1],
          blocks: textDiff(...(await Promise.all([textOf(named[0]), textOf(named[1])]))),
        };
  if (flags.json === true) {
    const count = (kind: string): number => blocks.filter((block) => block.kind === kind).length;
    const sums = { changed: count('changed'), added: count('added'), removed: count('removed') };
    const side = ({ date, status }: typeof older) => ({ date: new Date(date).toISOString(), status });
    process.stdout.write(`${JSON.stringify({ url, from: side(older), to: side(newer), ...sums, blocks })}\n`);
    return;
  }
  const { formatDiff } = await import('../output/show-diff.ts');
  const terminal = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  process.stdout.write(`${formatDiff({ url, from: older.date, to: newer.date, blocks }, { terminal, context })}\n`);
  if (!('differs' in last) || last.differs) return;
  const versionsOf = `orbweaver versions ${shellWord(url)} ${reader.flag}`;
  const note = last.more
    ? `So it was in the last ${MOST_READ} copies. To compare older ones give their times: ${versionsOf}`
    : 'No two of its copies differ in their main text.';
  process.stderr.write(`${note}\n`);
}
