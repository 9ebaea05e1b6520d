import { type Command, Option } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import { type AskedCrawl, addCrawlOptions } from '../../arguments/asked-crawl.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';
import type { ShownReport } from '../../output/show-report.ts';

interface ReportFlags extends AskedCrawl {
  readonly filter: readonly string[];
  readonly sort?: string;
  readonly columns?: string;
  readonly format: ShownReport['format'];
  readonly limit?: string;
  readonly perLink?: boolean;
  readonly refresh: boolean;
}

const FORMATS: readonly ShownReport['format'][] = ['table', 'csv', 'jsonl', 'json'];
/** Rows of a table where nobody says how many. */
const SHOWN = 50;

/** `report`: the table of all URLs of a crawl, in views that answer one question each; it works beside a running crawl. */
export function addReportCommand(program: Command): void {
  addCrawlOptions(
    program
      .command('report')
      .description('Every URL of a crawl as a table: broken links, redirects, orphans, duplicates, titles and more.')
      .argument('[view]', 'what to show (default: visited); "list" lists the views and the columns'),
  )
    .option(
      '--filter <condition>',
      'only rows like status=4xx, title~shop, depth<=3, canonical= (none); repeatable',
      many,
      [],
    )
    .option('--sort <column>', 'by a column; -column for the greatest first (default: that of the view)')
    .option('--columns <names>', 'these, separated by commas; "all" for all (default: those of the view)')
    .addOption(new Option('--format <format>', 'how it is printed').choices(FORMATS).default('table'))
    .option('--limit <n>', `most rows (default: ${SHOWN} of a table, else all)`)
    .option('--per-link', 'a row for each link to the URLs of the view, with the page that holds it')
    .option('--no-refresh', 'the report as it was made last, also where the crawl has gone on since')
    .action(run);
}

function many(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

async function run(view: string | undefined, flags: ReportFlags): Promise<void> {
  const { REPORT_COLUMNS } = await import('../../../crawl/report/site/report-columns.ts');
  const { DEFAULT_VIEW, REPORT_VIEWS } = await import('../../../crawl/report/site/report-views.ts');
  if (view === 'list') {
    const list = (rows: readonly { readonly name: string; readonly meaning: string }[]): string =>
      rows.map(({ name, meaning }) => `  ${name.padEnd(22)} ${meaning}\n`).join('');
    process.stdout.write(`Views:\n${list(REPORT_VIEWS)}Columns:\n${list(REPORT_COLUMNS)}`);
    return;
  }
  const { readFilter } = await import('../../../crawl/report/site/report-filter.ts');
  const { readQuery } = await import('../../../crawl/report/site/site-report.ts');
  const columns = flags.columns?.split(/[\s,]+/).filter((name) => name !== '');
  const query = readQuery({
    view: view ?? DEFAULT_VIEW,
    filters: flags.filter.map(readFilter),
    ...(flags.sort === undefined ? {} : { sort: flags.sort }),
    ...(columns === undefined
      ? {}
      : { columns: columns.includes('all') ? REPORT_COLUMNS.map(({ name }) => name) : columns }),
  });
  const limit =
    flags.limit === undefined
      ? flags.format === 'table'
        ? SHOWN
        : Number.POSITIVE_INFINITY
      : wholeNumber('--limit', flags.limit, 1, 1_000_000_000);
  const { openAskedReport } = await import('../../arguments/asked-report.ts');
  using asked = await openAskedReport(flags, flags.refresh);
  const { report } = asked;
  const needsLinks = flags.perLink === true || query.view.needsLinks === true;
  if (needsLinks && !report.about.hasLinks)
    throw new OrbweaverError('INDEX_MISSING', 'The links of this crawl were not gathered.', {
      remedy: 'They are gathered with the search index: run orbweaver index for this crawl, then the report again.',
    });
  const { showReport } = await import('../../output/show-report.ts');
  const count = await showReport(report, { format: flags.format, query, perLink: flags.perLink === true, limit });
  const total = flags.perLink === true ? undefined : (await report.page(query, { limit: 1 })).total;
  if (count === 0) process.stderr.write(`No URL of the view ${query.view.name} matches.\n`);
  else if (total !== undefined && total > count)
    process.stderr.write(
      `${count.toLocaleString('en')} of ${total.toLocaleString('en')} URLs of the view ${query.view.name}; --limit shows more.\n`,
    );
}
