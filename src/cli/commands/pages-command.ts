import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { PageQuery } from '../../contracts/page-listing.ts';
import { type AskedCrawl, addCrawlOptions } from '../arguments/asked-crawl.ts';
import { askedHost } from '../arguments/asked-host.ts';
import { wholeNumber } from '../arguments/whole-number.ts';

interface PagesFlags extends AskedCrawl {
  readonly host?: string;
  readonly outcome?: string;
  readonly status?: string;
  readonly limit?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const OUTCOMES: readonly Outcome['kind'][] = [
  'stored',
  'unchanged',
  'duplicate',
  'redirected',
  'refused',
  'gone',
  'failed',
];

/** `pages`: every URL that a crawl has visited, and how that ended; it works beside a running crawl. */
export function addPagesCommand(program: Command): void {
  addCrawlOptions(
    program
      .command('pages')
      .description('Every visited URL of a crawl, with status and outcome, in no particular order.'),
  )
    .option('--host <host>', 'only those of one host, such as example.org or localhost:3000')
    .option('--outcome <outcomes>', `only these, separated by commas: ${OUTCOMES.join(', ')}`)
    .option('--status <status>', 'only those with this HTTP status, such as 404 or 5xx')
    .option('--limit <n>', 'most URLs to print (default: all)')
    .option('--json', 'one JSON object per line')
    .option('--csv', 'as a table, with the names of the columns in the first line')
    .action(async (flags: PagesFlags) => {
      if (flags.json && flags.csv)
        throw new OrbweaverError('USAGE', '--json and --csv exclude each other.', { remedy: 'Give one of them.' });
      const query = queryOf(flags);
      const { printPages } = await import('../output/show-pages.ts');
      await printPages(flags, query, flags.json ? 'json' : flags.csv ? 'csv' : 'text');
    });
}

function queryOf({ host, outcome, status, limit }: PagesFlags): PageQuery {
  return {
    ...(host === undefined ? {} : { host: askedHost(host) }),
    ...(outcome === undefined ? {} : { outcomes: askedOutcomes(outcome) }),
    ...(status === undefined ? {} : { status: askedStatus(status) }),
    ...(limit === undefined ? {} : { limit: wholeNumber('--limit', limit, 1, 1_000_000_000) }),
  };
}

function askedOutcomes(text: string): readonly Outcome['kind'][] {
  const asked = text.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = asked.find((word) => !OUTCOMES.includes(word as Outcome['kind']));
  if (unknown === undefined && asked.length > 0) return asked as Outcome['kind'][];
  throw new OrbweaverError('USAGE', `--outcome does not know ${JSON.stringify(unknown ?? text)}.`, {
    remedy: `The outcomes are: ${OUTCOMES.join(', ')}.`,
  });
}

function askedStatus(text: string): NonNullable<PageQuery['status']> {
  if (/^[1-9]xx$/i.test(text)) return { from: Number(text[0]) * 100, to: Number(text[0]) * 100 + 99 };
  if (/^[1-9]\d\d$/.test(text)) return { from: Number(text), to: Number(text) };
  throw new OrbweaverError('USAGE', `--status takes an HTTP status, but got ${text}.`, {
    remedy: 'Write one, such as 404, or a class of them, such as 5xx.',
  });
}
