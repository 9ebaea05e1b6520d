import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import { wholeNumber } from './whole-number.ts';

interface ServeFlags {
  readonly dir: string;
  readonly port: string;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly title?: string;
  readonly clicks?: boolean;
}

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
  const port = wholeNumber('--port', flags.port, 0, 65_535);
  const { openSearcher } = await import('../search/open-searcher.ts');
  const { CrawlReader } = await import('../crawl/crawl-reader.ts');
  const { ClickLog } = await import('../web/click-log.ts');
  const { CrawlFolderReader } = await import('../web/crawl-folder-reader.ts');
  const { FolderWatch } = await import('../web/folder-watch.ts');
  const { startWebApp } = await import('../web/listen.ts');
  const { WebApp } = await import('../web/web-app.ts');

  await using search = await openSearcher(flags.dir);
  // Imported documents have an index, but no crawl behind it.
  using crawl = existsSync(join(flags.dir, 'state.db')) ? new CrawlReader(flags.dir) : undefined;
  using watch = crawl === undefined ? undefined : new FolderWatch(flags.dir, systemClock);
  const app = new WebApp({
    search,
    reader: new CrawlFolderReader(crawl),
    ...(crawl === undefined ? {} : { changes: crawl }),
    ...(watch === undefined ? {} : { watch }),
    title: flags.title ?? basename(resolve(flags.dir)),
    hostNames: [flags.host, ...(flags.allowHost ?? [])],
    onFault: (fault, path) => process.stderr.write(`orbweaver: ${path}: ${textOf(fault)}\n`),
    ...(flags.clicks === true ? { clicks: new ClickLog(flags.dir, systemClock) } : {}),
  });
  await using listening = await startWebApp(app, { host: flags.host, port }).catch((cause) => {
    throw cannotListen(flags, cause);
  });
  process.stdout.write(`${listening.url}\n`);
  if (watch !== undefined)
    process.stderr.write(`The crawl can be watched at ${new URL('/dashboard', listening.url)}\n`);
  process.stderr.write(`Serving ${search.documents} documents of ${flags.dir}. Ctrl-C ends it.\n`);
  await new Promise<void>((end) => {
    process.once('SIGINT', () => end());
    process.once('SIGTERM', () => end());
  });
}

function cannotListen({ host, port }: ServeFlags, cause: NodeJS.ErrnoException): unknown {
  const codes = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'];
  if (!codes.includes(cause.code ?? '')) return cause;
  return new OrbweaverError('USAGE', `Cannot listen on ${host}, port ${port}: ${cause.code}.`, {
    cause,
    remedy: 'Name another port with --port (0 takes any free one), or another address of this machine with --host.',
  });
}

function textOf(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
