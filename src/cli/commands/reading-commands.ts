import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { type AskedCrawl, addCrawlOptions } from '../arguments/asked-crawl.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import type { GetFlags } from './get-page.ts';

/** The commands that read a crawl; they work beside a running one. */
export function addReadingCommands(program: Command): void {
  addCrawlOptions(program.command('status').description('How a crawl stands.'))
    .option('--json', 'as one JSON object')
    .option('--hosts <n>', 'hosts to list', '10')
    .action(async (flags: AskedCrawl & { json?: boolean; hosts: string }) => {
      const { showStatus } = await import('./status.ts');
      await showStatus(flags, {
        json: flags.json === true,
        hosts: wholeNumber('--hosts', flags.hosts, 0, 1_000_000),
      });
    });

  addCrawlOptions(program.command('get').description('The stored page of a URL.').argument('<url>'))
    .option('--headers', 'the response headers before the body')
    .option('--raw', 'the body as received, content coding kept')
    .option(
      '--rendered',
      'the page as a browser has shown it, where it was rendered; a PDF or Office file as the HTML that it was converted to',
    )
    .option('--text', 'the main text')
    .option('--markdown', 'the main content as Markdown')
    .option('--links', 'the links of the page, one JSON object per line')
    .option(
      '--anchors',
      'links of stored pages to this one; reads the whole archive (quicker, from the index: orbweaver links URL)',
    )
    .option('--at <time>', 'the copy nearest to a time, such as 2026-11-15T12:00')
    .action(async (url: string, flags: AskedCrawl & GetFlags) => {
      const columns = [flags.raw, flags.text, flags.markdown, flags.links, flags.anchors];
      if (columns.filter(Boolean).length > 1)
        throw new OrbweaverError('USAGE', '--raw, --text, --markdown, --links and --anchors exclude each other.', {
          remedy: 'Give one of them: --raw for the bytes, --text for the words, --markdown for words and structure.',
        });
      const { getPage } = await import('./get-page.ts');
      await getPage(url, flags, flags);
    });

  addCrawlOptions(
    program.command('versions').description('Every stored copy of a URL, oldest first.').argument('<url>'),
  )
    .option('--json', 'one JSON object per line')
    .action(async (url: string, flags: AskedCrawl & { json?: boolean }) => {
      const { listVersions } = await import('../output/list-versions.ts');
      await listVersions(url, flags, flags.json === true);
    });

  addCrawlOptions(
    program
      .command('explain')
      .description(
        'The whole story of a URL: where it was found, what was decided and by which rule, when it comes next.',
      )
      .argument('<url>'),
  )
    .option('--json', 'as one JSON object')
    .action(async (url: string, flags: AskedCrawl & { json?: boolean }) => {
      const { explain } = await import('./explain.ts');
      await explain(url, flags, flags.json === true);
    });
}
