import { type Command, Option } from 'commander';
import { systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { RowQuery, RowReader } from '../../../contracts/state/row-store.ts';
import { askedTime } from '../../arguments/asked-time.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';
import { counted } from '../../output/written-amount.ts';
import { setNamed } from './set-named.ts';

interface RowsFlags {
  readonly dir: string;
  readonly changes?: boolean;
  readonly again?: boolean;
  readonly extract?: string;
  readonly gone?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly after?: string;
  readonly limit?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** `rows`: what extraction rules have read from the pages of a crawl; it works beside a running crawl. */
export function addRowsCommand(program: Command): void {
  program
    .command('rows')
    .description('Rows that extraction rules have read from pages, and what has changed in them.')
    .argument('[set]', 'the name of a set; without it, a list of all sets, or with --json the rows of all')
    .addOption(new Option('--dir <folder>', 'the crawl folder').default('my-crawl'))
    .option('--changes', 'what has happened to rows: new, changed, gone, back; each with old and new values')
    .option(
      '--again',
      'read all archived pages again by the rules of now, without asking anybody; not while a crawl runs',
    )
    .option('--extract <file>', 'with --again: the rules; else those of orbweaver.yaml')
    .option('--gone', 'also rows that are gone')
    .option('--since <time>', 'with --changes: noticed at or after a time, such as 2026-11-01, or 7d, 12h, 30m ago')
    .option('--until <time>', 'with --changes: noticed before a time')
    .option('--after <number>', 'with --changes: after the change with this number')
    .option('--limit <n>', 'most rows or changes to print (default: all)')
    .option('--json', 'one JSON object per line')
    .option('--csv', 'as a table; for rows a set must be named, whose fields are the columns')
    .action(async (set: string | undefined, flags: RowsFlags) => {
      refuseContradictions(set, flags);
      if (flags.again === true) await readAgain(flags);
      using reader = await openReader(flags.dir);
      await print(reader, set, flags);
    });
}

function refuseContradictions(set: string | undefined, flags: RowsFlags): void {
  const usage = (message: string, remedy: string): OrbweaverError => new OrbweaverError('USAGE', message, { remedy });
  if (flags.json && flags.csv) throw usage('--json and --csv exclude each other.', 'Give one of them.');
  if (flags.csv && set === undefined && !flags.changes)
    throw usage(
      '--csv needs the name of a set: sets have different columns.',
      'Such as: orbweaver rows products --csv',
    );
  if (flags.extract !== undefined && !flags.again)
    throw usage(
      '--extract has no meaning without --again.',
      'To try rules on a page: orbweaver inspect extract URL --extract FILE',
    );
  if (!flags.changes && (flags.since ?? flags.until ?? flags.after) !== undefined)
    throw usage('--since, --until and --after are about changes.', 'Add --changes.');
}

async function readAgain({ dir, extract }: RowsFlags): Promise<void> {
  const { loadSettingsFile } = await import('../../../base/settings/load-settings-file.ts');
  const { resolveSettings } = await import('../../../base/settings/resolve-settings.ts');
  const { settingsPath } = await import('../../../crawl/crawl-folder.ts');
  const { readRules } = await import('../../../crawl/extraction/read-rules.ts');
  const file = await loadSettingsFile(settingsPath(dir), { optional: true });
  // Whether the crawl goes on for ever does not matter here.
  const flags = { continuous: true, ...(extract === undefined ? {} : { extract }) };
  const { settings } = resolveSettings({ flags, env: process.env, file });
  const sets = await readRules(settings);
  if (sets.length === 0)
    throw new OrbweaverError('USAGE', 'There are no rules to read pages by.', {
      remedy: `Write them under "extract:" in ${settingsPath(dir)}, or name a file with --extract.`,
    });
  const { extractAgain } = await import('../../../crawl/extraction/extract-again.ts');
  const { pages, unreadable } = await extractAgain(dir, sets, settings);
  const missing = unreadable === 0 ? '' : ` Copies that could not be read: ${unreadable}; orbweaver check tells more.`;
  process.stderr.write(`${counted(pages, 'page')} read again from the archive.${missing}\n`);
}

async function openReader(dir: string): Promise<RowReader> {
  const { requireCrawl } = await import('../../../engines/state-folder.ts');
  requireCrawl(dir);
  const { requireRows } = await import('../../../engines/open-rows.ts');
  return requireRows(dir);
}

async function print(reader: RowReader, name: string | undefined, flags: RowsFlags): Promise<void> {
  const output = await import('./show-rows.ts');
  const sets = reader.sets();
  const set = name === undefined ? undefined : setNamed(sets, name);
  const format = flags.json ? 'json' : flags.csv ? 'csv' : 'text';
  if (set === undefined && format === 'text' && !flags.changes) {
    process.stdout.write(output.formatSets(sets));
    return;
  }
  const query = queryOf(name, flags);
  const count = flags.changes
    ? await output.printRowChanges(reader, query, format)
    : await output.printRows(reader, query, format, set);
  if (count === 0) process.stderr.write(flags.changes ? 'No change was noticed.\n' : 'There are no rows.\n');
  if (set !== undefined && format === 'text' && !flags.changes) process.stderr.write(output.formatSets([set]));
}

function queryOf(set: string | undefined, { gone, since, until, after, limit }: RowsFlags): RowQuery {
  const now = systemClock.now();
  return {
    ...(set === undefined ? {} : { set }),
    ...(gone ? { gone } : {}),
    ...(since === undefined ? {} : { since: askedTime('--since', since, now) }),
    ...(until === undefined ? {} : { until: askedTime('--until', until, now) }),
    ...(after === undefined ? {} : { after: wholeNumber('--after', after, 0, Number.MAX_SAFE_INTEGER) }),
    ...(limit === undefined ? {} : { limit: wholeNumber('--limit', limit, 1, 1_000_000_000) }),
  };
}
