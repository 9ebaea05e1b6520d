import type { Command } from 'commander';
import { addSettingOptions } from '../../arguments/setting-options.ts';
import type { CrawlFlags } from './run-crawl.ts';

export function addCrawlCommand(program: Command, version: string): void {
  const command = program
    .command('crawl')
    .description(
      'Crawl from the given URLs into a folder. The same command resumes a crawl that was stopped or killed.',
    )
    .argument('[url...]', 'seeds; without a scheme https is tried, then http; folders of this machine by their paths')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option(
      '--seeds <file>',
      'read seeds from a file, one per line; - reads standard input; may be repeated',
      (file: string, before: string[] | undefined) => [...(before ?? []), file],
    )
    .option(
      '--seeds-from <folder>',
      'the pages of another crawl that are best on the --topic, as seeds; may be repeated',
      (folder: string, before: string[] | undefined) => [...(before ?? []), folder],
    )
    .option('--again', 'one more round over a crawl that is finished: every known page is asked for once more, now')
    .option('--json', 'print one JSON object at the end, nothing else')
    .option('--quiet', 'no progress')
    .addHelpText('after', EXAMPLES + EXIT_STATUS);
  addSettingOptions(command);
  command.action(async (urls: string[], flags: CrawlFlags) => {
    const { runCrawl } = await import('./run-crawl.ts');
    await runCrawl(command, urls, flags, version);
  });
}

const EXAMPLES = `
Examples:
  orbweaver crawl https://example.org/                          the site and its subdomains, into my-crawl/
  orbweaver crawl example.org/docs/ --scope directory --max-pages 500 --dir docs
  orbweaver crawl --seeds urls.txt --max-depth 0                these URLs alone
  orbweaver crawl http://localhost:3000/ --allow-private --delay 0
  orbweaver crawl https://example.org/ --continuous             visits pages again when they may have changed
  orbweaver crawl ./docs ~/notes --continuous                   folders of this machine; changes are noticed
  orbweaver crawl --topic "jumping spiders" --seeds-from my-crawl --scope any --dir spiders
  orbweaver crawl                                               goes on with my-crawl/
  orbweaver crawl --again                                       visits every known page once more, then ends
`;

const EXIT_STATUS = `
Exit status: 0 done, or paused at a limit; 2 wrong settings or seeds; 3 the folder cannot be used; 4 the disk;
5 no page was stored, since every seed failed or was refused; 6 done, but for parked hosts; 130 stopped by Ctrl-C.`;
