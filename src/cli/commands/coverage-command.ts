import type { Command } from 'commander';
import { addCrawlOptions } from '../arguments/asked-crawl.ts';
import type { CoverageFlags } from '../output/show-coverage.ts';

/** `coverage`: the share of a web that a crawl holds, by its own links or by another crawl or list. */
export function addCoverageCommand(program: Command): void {
  addCrawlOptions(
    program
      .command('coverage')
      .description(
        'Estimates which share of the site or web a crawl holds: by how its URLs grew, or by what it has in common with another crawl or list of URLs.',
      ),
  )
    .option(
      '--with <crawl>',
      'another crawl folder, a URL store, or a file of URLs, one per line: overlap and capture-recapture',
    )
    .option('--urls <file>', 'a file of URLs or a URL store instead of the crawl folder, with --with')
    .option('--host <host>', 'only pages of this host')
    .option('--json', 'as one JSON object')
    .action(async (flags: CoverageFlags) => {
      const { showCoverage } = await import('../output/show-coverage.ts');
      await showCoverage(flags);
    });
}
