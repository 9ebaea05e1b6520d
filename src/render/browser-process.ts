import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { browserFlags, type VisibleFlagOptions, visibleBrowserFlags } from './browser-flags.ts';
import { forgetBrowser, makeProfile, noteBrowser, removeLeftovers } from './browser-profile.ts';
import { CdpConnection } from './cdp-connection.ts';

export interface BrowserOptions {
  /** The program. */
  readonly path: string;
  /** The crawl folder, which remembers what is left after a kill. */
  readonly folder: string;
  readonly sandbox: boolean;
  readonly images: boolean;
  /** Longest time until it answers. */
  readonly startMs?: number;
  /** With a window for a person, and a network; absent: neither. */
  readonly visible?: Omit<VisibleFlagOptions, 'profile' | 'sandbox'>;
}

/** A browser that did not start, and what may help. */
export class BrowserFailure extends Error {
  override readonly name = 'BrowserFailure';
  /** It ran, but did not answer in time: the machine may be busy. */
  readonly isLate: boolean;

  constructor(
    message: string,
    { isLate = false, cause }: { readonly isLate?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isLate = isLate;
  }
}

/** Whom a browser runs as that is started by root: it refuses root inside its sandbox, and pages of strangers need no rights. */
const NOBODY = 65_534;
const START_MS = 60_000;
const CLOSE_MS = 3000;
const SAID = 4000;

/** A browser of our own, with a profile of its own. It ends with this process, however that ends: its pipe closes. */
export class BrowserProcess implements AsyncDisposable {
  readonly connection: CdpConnection;
  /** As it names itself, as if somebody looked at it: scripts of some sites do nothing otherwise. */
  userAgent = '';
  readonly #child: ChildProcess;
  readonly #forget: () => void;
  #hasEnded = false;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcess, connection: CdpConnection, ended: Promise<void>, forget: () => void) {
    this.#child = child;
    this.connection = connection;
    this.#forget = forget;
    this.#ended = ended.then(() => {
      this.#hasEnded = true;
      connection.end('it has ended');
    });
  }

  static async start(options: BrowserOptions): Promise<BrowserProcess> {
    const { path, folder, sandbox, images, startMs = START_MS, visible } = options;
    removeLeftovers(folder);
    const owner = process.getuid?.() === 0 ? NOBODY : undefined;
    const profile = makeProfile(owner);
    const forget = () => forgetBrowser(folder, profile);
    const flags =
      visible === undefined
        ? browserFlags({ profile, sandbox, images })
        : visibleBrowserFlags({ profile, sandbox, ...visible });
    const child = spawn(path, flags, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // Nothing of this process but what a program needs to run: no secrets, and no place to write but the profile.
      env: { ...environmentOf(profile), ...(visible === undefined ? {} : display()) },
      ...(owner === undefined ? {} : { uid: owner, gid: owner }),
      windowsHide: true,
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < SAID) said += chunk.toString('latin1');
    });
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', (error) => {
        said += error.message;
        resolve();
      });
    });
    const [, , , write, read] = child.stdio as [null, null, Readable, Writable, Readable];
    const connection = new CdpConnection(write, read);
    const browser = new BrowserProcess(child, connection, ended, forget);
    const began = performance.now();
    try {
      if (child.pid !== undefined) noteBrowser(folder, { profile, pid: child.pid });
      const { userAgent } = await Promise.race([
        connection.send<{ userAgent: string }>('Browser.getVersion', {}, undefined, startMs),
        browser.#ended.then(() => Promise.reject(new BrowserFailure('it ended'))),
      ]);
      browser.userAgent = userAgent.replace('HeadlessChrome', 'Chrome');
      return browser;
    } catch (cause) {
      const isLate = !browser.hasEnded && performance.now() - began > 0.9 * startMs;
      // One that hears nothing will not hear that it is to end.
      if (isLate) browser.kill();
      await browser[Symbol.asyncDispose]();
      throw new BrowserFailure(whyNot(path, said, cause), { isLate, cause });
    }
  }

  /** Resolves when the process is gone. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** For one that hangs. */
  kill(): void {
    if (!this.#hasEnded) this.#child.kill('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasEnded && this.#child.pid !== undefined) {
      this.connection.send('Browser.close', {}, undefined, CLOSE_MS).catch(() => {});
      const cut = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_MS);
      await this.#ended;
      clearTimeout(cut);
    }
    this.#forget();
  }
}

function environmentOf(profile: string): NodeJS.ProcessEnv {
  const { PATH, LANG, LC_ALL, TZ, SystemRoot, windir } = process.env;
  const passed = { PATH, LANG, LC_ALL, TZ, SystemRoot, windir };
  const own = { HOME: profile, TMPDIR: profile, TEMP: profile, TMP: profile, USERPROFILE: profile };
  return { ...passed, ...own, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile, XDG_RUNTIME_DIR: profile };
}

/** What a window needs. */
function display(): NodeJS.ProcessEnv {
  const { DISPLAY, XAUTHORITY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS } = process.env;
  const own = { DISPLAY, XAUTHORITY, WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS };
  return XDG_RUNTIME_DIR === undefined ? own : { ...own, XDG_RUNTIME_DIR };
}

function whyNot(path: string, said: string, cause: unknown): string {
  if (/sandbox/i.test(said))
    return `${path} cannot use its sandbox here. Let this machine have user namespaces, or, if all pages are your own: --no-browser-sandbox.`;
  if (/missing x server|\bDISPLAY\b|ozone_platform/i.test(said)) return `${path} finds no screen for its window here.`;
  const last = said.trim().split('\n').at(-1)?.slice(0, 300);
  const why = cause instanceof Error ? cause.message : String(cause);
  return `${path} did not start: ${why}${last ? ` (${last})` : ''}.`;
}
