import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { loadSettingsFile } from '../../base/settings/load-settings-file.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import { settingsPath } from '../../crawl/crawl-folder.ts';
import { EventLog } from '../../observe/log/event-log.ts';
import { STORE_HELP } from '../arguments/asked-crawl.ts';
import { wantsJsonLog } from '../output/crawl-log.ts';
import { counted } from '../output/written-amount.ts';
import { untilStopped } from '../until-stopped.ts';
import { openSearchPage, type SearchPage, type ServeFlags } from './search-page.ts';

/** `serve`: the search page over a crawl folder; it works beside a running crawl. */
export function addServeCommand(program: Command, version: string): void {
  program
    .command('serve')
    .description(
      'Serve the search page and the dashboard of a crawl folder, or all crawls of a folder of them, until Ctrl-C.',
    )
    .argument('[folder]', 'the same as --dir')
    .option('--dir <folder>', 'the crawl folder, or a folder of crawl folders', 'my-crawl')
    .option('--store <url>', STORE_HELP)
    .option('--port <n>', 'port to listen on; 0 for any free one', '8787')
    .option('--host <address>', 'address to listen on; others than loopback let others in', '127.0.0.1')
    .option('--allow-host <name...>', 'names by which browsers may call this server, besides localhost and addresses')
    .option('--title <text>', 'name of the collection (default: the name of the folder)')
    .option('--clicks', 'note opened results in clicks.jsonl of the folder')
    .option('--plugins <module...>', 'plug-ins whose signals count in the ranking; see docs/plugins.md')
    .option('--allow-crawl', 'let agents at /mcp fetch single URLs into the folder, by the rules of its settings')
    .option('--control-token <token>', 'for reading and steering; better set ORBWEAVER_CONTROL_TOKEN')
    .option('--view-token <token>', 'for reading alone; better set ORBWEAVER_VIEW_TOKEN')
    .option('--public-search', 'search, copies and changes need no token')
    .option('--push <kind...>', 'what others may push: indexnow, websub; see docs/push.md')
    .option('--push-address <url>', 'where others reach this server')
    .action(async (folder: string | undefined, given: ServeFlags & SettingFlags) => {
      const flags = folder === undefined ? given : { ...given, dir: folder };
      if (flags.store === undefined && (await isLibraryFolder(flags.dir))) return await serveAll(flags);
      await serveFolder({ ...flags, taking: await takingOf(flags, version) });
    });
}

async function isLibraryFolder(folder: string): Promise<boolean> {
  const { isLibrary } = await import('../../crawls/library-folder.ts');
  return isLibrary(folder);
}

/** What concerns one crawl is not passed over in silence. */
async function serveAll(flags: ServeFlags & SettingFlags): Promise<void> {
  const { title, clicks, push, pushAddress, plugins } = flags;
  const given = Object.entries({ title, clicks, push, pushAddress, plugins }).find(([, value]) => value !== undefined);
  if (given !== undefined) {
    const name = given[0] === 'pushAddress' ? 'push-address' : given[0];
    throw new OrbweaverError('USAGE', `--${name} is for one crawl, and ${flags.dir} holds several.`, {
      remedy: `Serve one of them: --dir ${flags.dir}/NAME`,
    });
  }
  const { serveLibrary } = await import('./library/serve-library.ts');
  await serveLibrary(flags);
}

interface SettingFlags {
  readonly controlToken?: string;
  readonly viewToken?: string;
  readonly publicSearch?: boolean;
  readonly push?: readonly string[];
  readonly pushAddress?: string;
  readonly plugins?: readonly string[];
}

/** The settings of the crawl folder say how its crawler asks, and whose word is taken. */
async function takingOf({ dir, ...given }: ServeFlags & SettingFlags, version: string) {
  const { push, pushAddress, plugins, controlToken, viewToken, publicSearch } = given;
  const file = await loadSettingsFile(settingsPath(dir), { optional: true });
  // A file may leave it to the command line of the crawl whether it goes on; nothing here depends on it.
  const flags = {
    continuous: true,
    ...(push && { push }),
    ...(pushAddress !== undefined && { pushAddress }),
    ...(plugins && { plugins }),
    ...(controlToken !== undefined && { controlToken }),
    ...(viewToken !== undefined && { viewToken }),
    ...(publicSearch !== undefined && { publicSearch }),
  };
  return { settings: resolveSettings({ flags, env: process.env, file }).settings, version };
}

/** Serves the search page until Ctrl-C. */
export async function serveFolder(flags: ServeFlags): Promise<void> {
  await using page = await openSearchPage(flags);
  const stopped = untilStopped();
  announcePage(page, flags.dir);
  await stopped;
}

/** Where the page is, and of what. */
export function announcePage({ url, watched, pushes, documents, madeToken }: SearchPage, folder: string): void {
  process.stdout.write(`${url}\n`);
  if (wantsJsonLog(process.argv, process.env)) {
    new EventLog((line) => process.stderr.write(line), 'info').tell('info', 'page.listening', {
      ...{ url, folder },
      ...(madeToken === undefined ? {} : { token: madeToken }),
    });
    return;
  }
  if (madeToken !== undefined)
    process.stderr.write(
      `Whoever opens it needs this token: ${madeToken}\nIt holds until the server ends; to choose one, set ORBWEAVER_CONTROL_TOKEN. docs/api.md tells more.\n`,
    );
  if (watched) process.stderr.write(`The crawl can be watched at ${new URL('/dashboard', url)}\n`);
  if (pushes.length > 0) process.stderr.write(`What others push is taken: ${pushes.join(', ')}\n`);
  const what = documents > 0 ? `${counted(documents, 'document')} of ${folder}` : folder;
  process.stderr.write(`Serving ${what}. Ctrl-C ends it.\n`);
}
