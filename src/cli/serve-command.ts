import type { Command } from 'commander';
import { openSearchPage, type SearchPage, type ServeFlags } from './search-page.ts';

/** `serve`: the search page over a crawl folder; it works beside a running crawl. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the search page and the dashboard of a crawl folder until Ctrl-C.')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--port <n>', 'port to listen on; 0 for any free one', '8787')
    .option('--host <address>', 'address to listen on; others than loopback let others in', '127.0.0.1')
    .option('--allow-host <name...>', 'names by which browsers may call this server, besides localhost and addresses')
    .option('--title <text>', 'name of the collection (default: the name of the folder)')
    .option('--clicks', 'note opened results in clicks.jsonl of the folder')
    .action((flags: ServeFlags) => serveFolder(flags));
}

/** Serves the search page until Ctrl-C. */
export async function serveFolder(flags: ServeFlags): Promise<void> {
  await using page = await openSearchPage(flags);
  tellOf(page, flags.dir);
  await untilStopped();
}

/** Where the page is, and of what. */
export function tellOf({ url, watched, documents }: SearchPage, folder: string): void {
  process.stdout.write(`${url}\n`);
  if (watched) process.stderr.write(`The crawl can be watched at ${new URL('/dashboard', url)}\n`);
  process.stderr.write(`Serving ${documents} documents of ${folder}. Ctrl-C ends it.\n`);
}

export async function untilStopped(): Promise<void> {
  await new Promise<void>((end) => {
    process.once('SIGINT', () => end());
    process.once('SIGTERM', () => end());
  });
}
