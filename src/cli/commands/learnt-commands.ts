import type { Command } from 'commander';
import { Option } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { type AskedCrawl, addCrawlOptions } from '../arguments/asked-crawl.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import type { TrapFlags } from '../output/show-traps.ts';

const FOLDER = new Option('--dir <folder>', 'the crawl folder').default('my-crawl');

/** The commands that show what a crawl has learnt, and overrule it; they work beside a running crawl. */
export function addLearntCommands(program: Command): void {
  addCrawlOptions(
    program
      .command('duplicates')
      .argument('[url]', 'a page of the crawl: tells what is like it')
      .description(
        'Pages that say the same, or nearly the same; what is like one page or text; or pairs among texts of your own.',
      ),
  )
    .option('--text <file>', 'tell which pages are like the text in a file, or - for standard input')
    .option('--json', 'as one JSON object: {"total", "clusters"}, or {"total", "pages"} of one page or text')
    .option('--limit <n>', 'clusters, or pages like one, to list', '20')
    .option('--jsonl [file]', 'read {"id", "text"} lines from a file or standard input and print {"a", "b", "jaccard"}')
    .option('--scan', 'compare all stored texts with each other and print {"a", "b", "jaccard"} lines')
    .option('--threshold <share>', 'least Jaccard coefficient: of a pair (0.8), or with one page or text (0.5)')
    .option('--shingle <words>', 'words of a shingle, for --scan (default: as in the crawl) and --jsonl (5)')
    .action(async (url: string | undefined, flags: DuplicateFlags) => {
      const { showDuplicates } = await import('../output/duplicates/show-duplicates.ts');
      await showDuplicates(flags, {
        json: flags.json === true,
        scan: flags.scan === true,
        limit: wholeNumber('--limit', flags.limit, 1, 1_000_000_000),
        ...(flags.threshold === undefined ? {} : { threshold: share('--threshold', flags.threshold) }),
        ...(flags.shingle === undefined ? {} : { shingle: wholeNumber('--shingle', flags.shingle, 1, 20) }),
        ...(url === undefined ? {} : { url }),
        ...(flags.text === undefined ? {} : { text: flags.text }),
        ...(flags.jsonl === undefined ? {} : { jsonl: flags.jsonl === true ? '-' : flags.jsonl }),
      });
    });

  program
    .command('traps')
    .description(
      'Groups of URLs that were found to yield nothing; opens and holds them, also while a crawl is running.',
    )
    .addOption(FOLDER)
    .option('--json', 'one JSON object per pattern')
    .option('--all', 'also those that are open')
    .option('--open <pattern>', 'ask for its URLs, whatever they yielded')
    .option('--hold <pattern>', 'ask for none of its URLs')
    .option('--learn <pattern>', 'leave the decision to the crawl again')
    .action(async (flags: { dir: string } & TrapFlags) => {
      const { showTraps } = await import('../output/show-traps.ts');
      showTraps(flags.dir, flags);
    });

  program
    .command('mirrors')
    .description('Hosts that show the same pages as another; says where two are not to be taken for one.')
    .addOption(FOLDER)
    .option('--json', 'one JSON object per pair')
    .option('--separate <origin>', 'crawl this one for itself')
    .option('--learn <origin>', 'leave the decision to the crawl again')
    .action(async (flags: { dir: string; json?: boolean; separate?: string; learn?: string }) => {
      const { showMirrors } = await import('../output/show-mirrors.ts');
      showMirrors(flags.dir, flags);
    });
}

interface DuplicateFlags extends AskedCrawl {
  readonly json?: boolean;
  readonly scan?: boolean;
  readonly limit: string;
  readonly jsonl?: string | true;
  readonly threshold?: string;
  readonly shingle?: string;
  readonly text?: string;
}

function share(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0.3 && value <= 1) return value;
  throw new OrbweaverError('USAGE', `${flag} takes a number from 0.3 to 1, but got ${text}.`, {
    remedy: 'Jaccard coefficients of 0.8 and more are near-duplicates for most uses.',
  });
}
