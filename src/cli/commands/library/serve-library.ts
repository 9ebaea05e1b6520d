import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../base/clock.ts';
import { resolveSettings } from '../../../base/settings/resolve-settings.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import { FolderLibrary } from '../../../crawls/folder-library.ts';
import { PlanPreviews } from '../../../crawls/plan-previews.ts';
import { LibraryApp } from '../../../web/crawls/library-app.ts';
import { type MountedApp, MountedCrawls } from '../../../web/crawls/mounted-crawls.ts';
import type { Access } from '../../../web/http/access/access.ts';
import { isLoopback, pageAccess } from '../../../web/http/access/page-access.ts';
import { startWebApp } from '../../../web/http/listen.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';
import { untilStopped } from '../../until-stopped.ts';
import { cannotListen, openFolderApp, reportFault, type ServeFlags } from '../search-page.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../bin/orbweaver.cjs', import.meta.url));

interface LibraryFlags extends Pick<ServeFlags, 'dir' | 'port' | 'host' | 'allowHost'> {
  readonly controlToken?: string;
  readonly viewToken?: string;
  readonly publicSearch?: boolean;
}

/** Serves all crawls of a folder until Ctrl-C; then those that run are stopped, and go on with the next start. */
export async function serveLibrary(flags: LibraryFlags): Promise<void> {
  const port = wholeNumber('--port', flags.port, 0, 65_535);
  await using opened = new AsyncDisposableStack();
  const clock = systemClock;
  const { access, madeToken } = pageAccess(flags, accessSettings(flags));
  // With the flags of this process the launcher need not start itself again: a signal in that instant would be lost.
  const command = [process.execPath, ...process.execArgv, LAUNCHER];
  const mounts = opened.use(
    new MountedCrawls({ clock, open: (folder, mount) => openMounted(flags, access, folder, mount) }),
  );
  const onLeave = (folder: string): Promise<void> => mounts.close(folder);
  // Before crawls run that must be ended in order.
  const stopped = untilStopped();
  // Before the port: whoever starts a second app learns where the first one is.
  const takesFolders = isLoopback(flags.host) && (flags.allowHost ?? []).length === 0;
  const library = opened.use(
    new FolderLibrary(flags.dir, { command, clock, takesFolders, onFault: reportFault, onLeave }),
  );
  const previews = opened.use(new PlanPreviews({ command, clock }));
  const hostNames = [flags.host, ...(flags.allowHost ?? [])];
  const app = new LibraryApp({ library, previews, mounts, clock, access, hostNames, onFault: reportFault });
  const listening = opened.use(
    await startWebApp(app, { host: flags.host, port }).catch((cause) => {
      throw cannotListen(flags, cause);
    }),
  );
  library.served(listening.url);
  process.stdout.write(`${listening.url}\n`);
  process.stderr.write(`Open it in the browser. Crawls are kept in ${flags.dir}/. Ctrl-C ends it.\n`);
  if (madeToken !== undefined)
    process.stderr.write(`Others can reach this server: it asks for a token. For this run it is ${madeToken}\n`);
  await stopped;
}

/** The pages of one crawl of the library. */
async function openMounted(
  { host, port, allowHost }: LibraryFlags,
  access: Access,
  folder: string,
  mount: string,
): Promise<MountedApp> {
  await using opened = new AsyncDisposableStack();
  const names = allowHost === undefined ? {} : { allowHost };
  const asked = { dir: folder, port, host, ...names, mount, access, mayBeEmpty: true };
  const { app } = await openFolderApp(asked, opened);
  const parts = opened.move();
  return {
    handle: (request, response) => app.handle(request, response),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** By the flags and the environment: a library has no settings of its own. */
function accessSettings({ controlToken, viewToken, publicSearch }: LibraryFlags): Settings {
  const flags = { continuous: true, controlToken, viewToken, publicSearch };
  return resolveSettings({ flags, env: process.env }).settings;
}
