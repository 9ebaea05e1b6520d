import { type Command, Option } from 'commander';
import { addCrawlOptions } from '../../arguments/asked-crawl.ts';
import type { QualityFlags } from './show-quality.ts';

/** `quality`: how good the pages were that came first, and how old the copies were, over the course of a crawl. */
export function addQualityCommand(program: Command, version: string): void {
  addCrawlOptions(
    program
      .command('quality')
      .description(
        'Average PageRank of the pages by the day of their first fetch, and the age of the copies over time; "status" shows what was measured last.',
      ),
  )
    .addOption(
      new Option('--by <step>', 'steps of the PageRank; by the length of the crawl where it is not said').choices([
        'day',
        'hour',
        'tenth',
      ]),
    )
    .option('--out <folder>', 'write both curves as plots: quality.svg and age.svg')
    .option('--json', 'as one JSON object')
    .action(async (flags: QualityFlags) => {
      const { showQuality } = await import('./show-quality.ts');
      await showQuality(flags, version);
    });
}
