import type { Command } from 'commander';
import { STORE_HELP } from '../arguments/asked-crawl.ts';
import type { ForgetFlags } from './run-forget.ts';

/** `orbweaver forget`: deletes pages from the state, the archive and the index of a crawl. */
export function addForgetCommand(program: Command): void {
  program
    .command('forget')
    .description('Delete pages, hosts or URL patterns from index, archive and state. They are not fetched again.')
    .argument('[what...]', 'a URL, a host, or a pattern as in --exclude')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--store <url>', STORE_HELP)
    .option('--dry-run', 'list what would be deleted, and change nothing')
    .option('--yes', 'do not ask')
    .option('--list', 'list all that was forgotten in this folder')
    .option(
      '--allow <what>',
      'what was forgotten so may be fetched again by the next crawl; may be repeated',
      (what: string, before: string[] | undefined) => [...(before ?? []), what],
    )
    .option('--json', 'print one JSON object, nothing else')
    .option('--quiet', 'no progress')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string[], flags: ForgetFlags) => {
      const { runForget } = await import('./run-forget.ts');
      await runForget(what, flags);
    });
}

const EXAMPLES = `
Examples:
  orbweaver forget https://example.org/people/jane              one page
  orbweaver forget example.org                                  a host
  orbweaver forget 'https://example.org/private/*' --dry-run    what a pattern would delete
  orbweaver forget --list                                       what was deleted, and when
  orbweaver forget --allow example.org                          the host may be crawled again
  orbweaver forget                                              completes a deletion that was cut off

Exit status: 0 done; 2 it was not confirmed; 3 a crawl runs in the folder; 5 nothing matches.`;
