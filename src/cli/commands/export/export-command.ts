import { type Command, Option } from 'commander';
import { addCrawlOptions } from '../../arguments/asked-crawl.ts';
import type { ExportFlags } from './run-export-command.ts';

const EXAMPLES = `
Examples:
  orbweaver export csv --columns url,title,language > pages.csv
  orbweaver export jsonl --columns url,title,text --language en --output pages.jsonl.gz --compress gzip
  orbweaver export parquet --table links --output links.parquet
  orbweaver export csv --table versions --host example.org --from 2026-01-01
  orbweaver export parquet --table rows --set products --output products.parquet
  orbweaver export list                                   the formats, tables and columns
An export into a file that was cut off goes on with the same command.

Exit status: 0 done; 2 wrong options; 3 the folder cannot be used, or has no index; 4 the disk; 130 stopped by Ctrl-C.`;

/** `export`: a crawl for other programs; it works beside a running crawl. */
export function addExportCommand(program: Command): void {
  addCrawlOptions(
    program
      .command('export')
      .description('Write pages, links, decisions or versions of a crawl in a format that other programs read.')
      .argument('<format>', '"list" lists them'),
  )
    .option('--output <path>', 'the file or folder; - is standard output, the default for formats of one file')
    .option('--host <host>', 'only pages of this host; repeatable', many, [])
    .option('--from <time>', 'only copies from this time on: 2026-11-15, 2026-11-15T12:00 (UTC), or how long ago: 7d')
    .option('--to <time>', 'only copies before this time')
    .option('--language <languages>', 'only pages in these languages, such as en,de')
    .option('--type <types>', 'only these media types, such as text/html or image/*')
    .option('--query <query>', 'only pages that hold all words of this query, with the syntax of search')
    .option(
      '--usage <use>',
      'without pages whose publisher disallows it: search, ai-input, ai-train, ai-images or tdm; USE=allowed: only those who allow it',
    )
    .option('--limit <n>', 'most rows')
    .option(
      '--table <table>',
      'pages (default) or versions; of csv, jsonl and parquet also urls, links, decisions, cells or rows',
    )
    .option('--set <name>', 'of --table rows: those of one set of extraction rules, with a typed column for each field')
    .option('--columns <names>', 'of csv, jsonl and parquet: these, separated by commas; "all" for all')
    .option('--base <url>', 'of sitemap: where it will be published')
    .option('--title <title>', 'of llms.txt, wacz, ciff and site-search: the name of the site')
    .addOption(new Option('--compress <how>', 'compress the file').choices(['gzip', 'zstd']))
    .option('--force', 'replace a file that is there already')
    .option('--restart', 'begin again where an earlier run was cut off')
    .option('--quiet', 'no progress')
    .option('--json', 'print one JSON object at the end, on standard error where the export goes to standard output')
    .addHelpText('after', EXAMPLES)
    .action(async (format: string, flags: ExportFlags) => {
      const { runExportCommand } = await import('./run-export-command.ts');
      await runExportCommand(format, flags);
    });
}

function many(value: string, before: readonly string[]): string[] {
  const hosts = value.split(/[\s,]+/).filter((host) => host !== '');
  return [...before, ...(hosts.length === 0 ? [''] : hosts)];
}
