import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { ChangeLog, ChangeQuery } from '../../contracts/change-log.ts';
import type { ChangeKind } from '../../crawl/notify/change-report.ts';
import type { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { type AskedCrawl, addCrawlOptions, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { askedTime } from '../arguments/asked-time.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import { writeLines } from '../output/write-lines.ts';
import { counted } from '../output/written-amount.ts';

interface ChangesFlags extends AskedCrawl {
  readonly since?: string;
  readonly until?: string;
  readonly after?: string;
  readonly kind?: string;
  readonly limit?: string;
  readonly json?: boolean;
  readonly atom?: boolean;
}

/** What is shown where nothing else is asked for; JSON is for programs and leaves nothing out. */
const SHOWN = 1000;
const FEED_LENGTH = 100;
const MOST = 1_000_000_000;

/** `changes`: what was new, changed, moved or gone, from the log of a crawl folder; it works beside a running crawl. */
export function addChangesCommand(program: Command): void {
  addCrawlOptions(
    program
      .command('changes')
      .description('What has happened to the pages of a crawl: new, changed, moved, gone, back again.'),
  )
    .option('--since <time>', 'noticed at or after a time, such as 2026-11-01 or 2026-11-01T12:00, or 7d, 12h, 30m ago')
    .option('--until <time>', 'noticed before a time')
    .option('--after <number>', 'after the change with this number: where a program left off')
    .option('--kind <kinds>', 'only these, separated by commas: new, changed, moved, gone, back')
    .option(
      '--limit <n>',
      `most changes to print (default: the last ${SHOWN}, with --atom ${FEED_LENGTH}, with --json all)`,
    )
    .option('--json', 'one JSON object per line')
    .option('--atom', 'as an Atom feed')
    .action(async (flags: ChangesFlags) => {
      if (flags.json && flags.atom)
        throw new OrbweaverError('USAGE', '--json and --atom exclude each other.', { remedy: 'Give one of them.' });
      const query = await queryOf(flags);
      using reader = await openAskedCrawl(flags, 'changes');
      if (flags.json) await printLines(reader, query);
      else if (flags.atom) await printFeed(reader, query);
      else await printDays(reader, query);
    });
}

async function queryOf({ since, until, after, kind, limit }: ChangesFlags): Promise<ChangeQuery> {
  const now = systemClock.now();
  return {
    ...(since === undefined ? {} : { since: askedTime('--since', since, now) }),
    ...(until === undefined ? {} : { until: askedTime('--until', until, now) }),
    ...(after === undefined ? {} : { after: wholeNumber('--after', after, 0, Number.MAX_SAFE_INTEGER) }),
    ...(kind === undefined ? {} : { kinds: await kindsOf(kind) }),
    ...(limit === undefined ? {} : { limit: wholeNumber('--limit', limit, 1, MOST) }),
  };
}

async function kindsOf(text: string): Promise<readonly ChangeKind[]> {
  const { CHANGE_KINDS } = await import('../../crawl/notify/change-report.ts');
  const asked = text.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = asked.find((word) => !CHANGE_KINDS.includes(word as ChangeKind));
  if (unknown === undefined && asked.length > 0) return asked as ChangeKind[];
  throw new OrbweaverError('USAGE', `--kind takes kinds of change, and ${JSON.stringify(unknown ?? text)} is none.`, {
    remedy: `They are: ${CHANGE_KINDS.join(', ')}.`,
  });
}

async function printLines(log: ChangeLog, query: ChangeQuery): Promise<void> {
  const { changeReport } = await import('../../crawl/notify/change-report.ts');
  // A program that goes on where it left off wants the first that fit.
  const last = query.after === undefined;
  const changes = Iterator.from(log.changes({ ...query, last }));
  await writeLines(changes.map((change) => JSON.stringify(changeReport(change))));
}

async function printFeed(log: CrawlReader, query: ChangeQuery): Promise<void> {
  const { changesFeed } = await import('../../web/changes/changes-feed.ts');
  const changes = [...log.changes({ limit: FEED_LENGTH, ...query, last: true })];
  process.stdout.write(changesFeed({ name: basename(resolve(log.name)), changes, kinds: query.kinds ?? [] }).markup);
}

/** A query may miss what the log holds; a crawl that visits each page once holds nothing, nor does one of pages that stay as they are. */
async function whyNone(log: CrawlReader): Promise<string> {
  const [last] = log.changes({ limit: 1, last: true });
  if (last !== undefined)
    return `The last change was noticed at ${new Date(last.at).toISOString()}. Without --since, --until, --after and --kind all are shown.`;
  const { revisits = {} } = (await log.status(0)).totals;
  const visits = Object.values(revisits).reduce((sum, count) => sum + count, 0);
  if (visits > 0)
    return `The log of changes is empty: ${counted(visits, 'visit')} to known pages found them as before.`;
  return `The log of changes is empty: only a crawl that visits pages again fills it. Start one: orbweaver crawl --continuous ${log.flag}`;
}

async function printDays(log: CrawlReader, query: ChangeQuery): Promise<void> {
  const { limit = SHOWN } = query;
  const found = [...log.changes({ ...query, limit: limit + 1, last: true })];
  if (found.length === 0) {
    process.stdout.write('No change was noticed.\n');
    process.stderr.write(`${await whyNone(log)}\n`);
    return;
  }
  const { formatChanges } = await import('../output/show-changes.ts');
  const terminal = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  process.stdout.write(`${formatChanges(found.slice(-limit), terminal)}\n`);
  if (found.length > limit) process.stderr.write(`These are the last ${limit}; --limit shows more, --json all.\n`);
}
