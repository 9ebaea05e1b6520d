import type { Command } from 'commander';
import { type AskedCrawl, addCrawlOptions } from '../arguments/asked-crawl.ts';
import { wholeNumber } from '../arguments/whole-number.ts';

const MOST = 1_000_000_000;

/** The commands that show the links between pages, and what they make of them; they work beside a running crawl. */
export function addLinksCommand(program: Command): void {
  const links = program
    .command('links')
    .description('Pages that link to a URL, with the texts of their links, and its rank; or what it links to.')
    .argument('<url>', 'URL of the page');
  addCrawlOptions(links)
    .option('--out', 'what the page links to')
    .option('--json', 'one JSON object')
    .option('--limit <n>', 'links to list', '20')
    .action(async (url: string, flags: AskedCrawl & { out?: boolean; json?: boolean; limit: string }) => {
      const { showLinks } = await import('../output/show-links.ts');
      const limit = wholeNumber('--limit', flags.limit, 1, MOST);
      await showLinks(url, flags, { out: flags.out === true, json: flags.json === true, limit });
    });

  const rank = program
    .command('rank')
    .description('The pages and hosts with the highest PageRank, the best hubs and the best authorities.');
  addCrawlOptions(rank)
    .option('--json', 'one JSON object')
    .option('--limit <n>', 'places of each list', '10')
    .action(async (flags: AskedCrawl & { json?: boolean; limit: string }) => {
      const { showRanks } = await import('../output/show-ranks.ts');
      await showRanks(flags, { json: flags.json === true, limit: wholeNumber('--limit', flags.limit, 1, MOST) });
    });
}
