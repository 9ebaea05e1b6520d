import { type Command, Option } from 'commander';
import type { AddFlags, CompareFlags, InfoFlags, ListFlags } from './run-urls.ts';

const STORE = 'the folder of the store';
const SOURCE = 'a file with one URL per line, a crawl folder, or a store';

/** `urls`: many URLs in few bytes, sorted by host; asked, listed and compared without holding them in memory. */
export function addUrlsCommand(program: Command): void {
  const urls = program
    .command('urls')
    .description('Keeps many URLs in few bytes, sorted by host: adds, looks up, lists and compares them.');
  urls
    .command('add')
    .description('Adds the URLs of lists, crawls or other stores; makes the store where there is none.')
    .argument('<folder>', STORE)
    .argument('[source...]', `${SOURCE}; - or nothing is standard input`)
    .option('--held', 'of a crawl only pages of which a copy is held; else every URL that was visited or waits')
    .option('--json', 'as one JSON object')
    .action(async (folder: string, sources: string[], flags: AddFlags) => {
      const { addUrls } = await import('./run-urls.ts');
      await addUrls(folder, sources, flags);
    });
  urls
    .command('has')
    .description('Tells for each URL whether the store has it; exits with 5 where one is missing.')
    .argument('<folder>', STORE)
    .argument('[url...]', 'without one, standard input with one URL per line')
    .action(async (folder: string, asked: string[]) => {
      const { lookUpUrls } = await import('./run-urls.ts');
      await lookUpUrls(folder, asked);
    });
  urls
    .command('list')
    .description('Lists URLs in order: by host, its labels reversed, then by path.')
    .argument('<folder>', STORE)
    .option('--host <host>', 'only those of this host')
    .option('--domain <domain>', 'only those of this domain and its hosts')
    .option('--prefix <url>', 'only those that begin with this, scheme and host included')
    .option('--limit <n>', 'at most this many')
    .action(async (folder: string, flags: ListFlags) => {
      const { listUrls } = await import('./run-urls.ts');
      await listUrls(folder, flags);
    });
  urls
    .command('compare')
    .description('Counts, or lists, what two lists, crawls or stores have in common, and what only one has.')
    .argument('<first>', `${SOURCE}; - is standard input`)
    .argument('<second>', 'the same')
    .addOption(new Option('--only <side>', 'list these URLs').choices(['first', 'second', 'both']))
    .option('--host <host>', 'only those of this host')
    .option('--held', 'of crawls only pages of which a copy is held')
    .option('--json', 'the counts as one JSON object')
    .action(async (first: string, second: string, flags: CompareFlags) => {
      const { compareUrls } = await import('./run-urls.ts');
      await compareUrls(first, second, flags);
    });
  urls
    .command('info')
    .description('Tells how many URLs a store has, and what they take.')
    .argument('<folder>', STORE)
    .option('--check', 'read everything and compare the checksums')
    .option('--json', 'as one JSON object')
    .action(async (folder: string, flags: InfoFlags) => {
      const { showUrlStore } = await import('./run-urls.ts');
      showUrlStore(folder, flags);
    });
  urls
    .command('compact')
    .description('Makes one file of all that a store consists of: the smallest form, and the fastest to ask.')
    .argument('<folder>', STORE)
    .action(async (folder: string) => {
      const { compactUrls } = await import('./run-urls.ts');
      compactUrls(folder);
    });
}
