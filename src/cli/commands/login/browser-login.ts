import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OrbweaverError } from '../../../base/errors.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { browserOf } from '../../../crawl/rendering/open-rendering.ts';
import { type BrowserCookie, cookieFileText, cookiesOfSite } from '../../../fetch/login/cookie-file.ts';
import { BrowserFailure, BrowserProcess } from '../../../render/browser-process.ts';
import { registrableDomain } from '../../../url/public-suffix.ts';
import { terminalText } from '../../output/terminal-text.ts';
import { counted } from '../../output/written-amount.ts';
import type { LoginFlags } from './login-flags.ts';
import { placeFor, settingsWith, writeRecorded } from './recorded-login.ts';

/** How often the browser is asked for its cookies: when its window is closed, the last ones count. */
const LOOK_MS = 1000;

/** A person logs in, in a browser of its own, and its cookies become a file for the crawl. */
export async function runBrowserLogin(url: string, flags: LoginFlags, settings: Settings): Promise<void> {
  const path = browserOf(settings);
  if (path === undefined)
    throw new OrbweaverError('BROWSER_MISSING', 'No Chrome or Chromium was found on this machine.', {
      remedy: 'Install one, name it with --browser, or export the cookies of your own browser (docs/private-sites.md).',
    });
  const cookies = await cookiesOfPerson(path, url, flags.dir, settings);
  const { hostname, origin } = new URL(url);
  const own = cookiesOfSite(cookies, registrableDomain(hostname) ?? hostname);
  if (own.length === 0)
    throw new OrbweaverError('LOGIN_FAILED', `The browser holds no cookie of ${hostname}. Nothing was written.`, {
      remedy: 'Log in before you press Enter or close the window; a site without cookies needs another way.',
    });
  const names = [...new Set(own.map(({ name }) => terminalText(name)))].join(', ');
  process.stderr.write(`${counted(own.length, 'cookie')} of ${hostname}: ${names}\n`);
  if (flags.print === true) {
    process.stderr.write('With --print nothing is written: cookies are secrets.\n');
    return;
  }
  const file = placeFor('cookies', origin, flags.dir);
  const said = await settingsWith(flags.dir, 'cookieFiles', file);
  process.stderr.write(writeRecorded(flags.dir, file, cookieFileText(own), said, 0o600));
  process.stderr.write(`Then: orbweaver crawl ${shellWord(`${origin}/`)} --dir ${shellWord(flags.dir)}\n`);
}

async function cookiesOfPerson(path: string, url: string, dir: string, settings: Settings): Promise<BrowserCookie[]> {
  // Not that of the crawl itself, whose own browser may be at work.
  const folder = join(dir, 'login-browser');
  mkdirSync(folder, { recursive: true });
  const { hosts, tlsVerify, browserSandbox: sandbox } = settings;
  // A window takes one proxy: the first.
  const [proxy = ''] = settings.proxy;
  try {
    await using browser = await BrowserProcess.start({
      ...{ path, folder, sandbox, images: true, visible: { url, hosts, proxy, tlsVerify } },
    });
    process.stderr.write('Log in, in the window that has opened. Then press Enter here, or close the window.\n');
    return await lastCookies(browser);
  } catch (cause) {
    if (!(cause instanceof BrowserFailure)) throw cause;
    throw new OrbweaverError('BROWSER_MISSING', cause.message, {
      remedy: `${/no screen/.test(cause.message) ? 'It takes a screen' : 'Another can be named with --browser'}. Or log in elsewhere, export the cookies of that browser, and name the file with cookie-files.`,
      cause,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lastCookies(browser: BrowserProcess): Promise<BrowserCookie[]> {
  let cookies: BrowserCookie[] = [];
  const look = async (): Promise<void> => {
    const answer = await browser.connection
      .send<{ cookies: BrowserCookie[] }>('Storage.getCookies')
      .catch(() => undefined);
    // One that is about to end has none left.
    if (answer !== undefined && answer.cookies.length > 0) cookies = answer.cookies;
  };
  const looking = setInterval(() => void look(), LOOK_MS);
  const { promise: enter, resolve } = Promise.withResolvers<void>();
  const lines = createInterface({ input: process.stdin, terminal: false }).once('line', () => resolve());
  try {
    await Promise.race([enter, browser.ended]);
    if (!browser.hasEnded) await look();
  } finally {
    clearInterval(looking);
    lines.close();
    process.stdin.pause();
  }
  return cookies;
}
