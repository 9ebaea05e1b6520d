import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserTab, DevTools } from './dev-tools.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const FLAGS = [
  '--headless=new',
  '--remote-debugging-port=0',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A tab that nobody looks at would get next to nothing of a busy machine.
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--no-first-run',
  '--hide-scrollbars',
  // Names of strangers lead nowhere: tests stay on this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
];

/** The browser that is installed here, or why there is none. */
export function findChromium(): { readonly path: string } | { readonly missing: string } {
  if (typeof WebSocket !== 'function') return { missing: 'this Node has no WebSocket' };
  for (const name of NAMES) {
    const found = spawnSync(name, ['--version'], { encoding: 'utf8', timeout: 20_000 });
    if (found.status === 0) return { path: name };
  }
  return { missing: `no Chromium on PATH (looked for ${NAMES.join(', ')})` };
}

/** A headless browser with a profile of its own, gone when the test is over. */
export class Chromium implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #tools: DevTools;
  readonly #profile: string;

  private constructor(child: ChildProcess, tools: DevTools, profile: string) {
    this.#process = child;
    this.#tools = tools;
    this.#profile = profile;
  }

  static async start(path: string): Promise<Chromium> {
    const profile = mkdtempSync(join(tmpdir(), 'orbweaver-browser-'));
    const child = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const address = await devToolsAddress(child);
    return new Chromium(child, await DevTools.connect(address), profile);
  }

  async openTab(): Promise<BrowserTab> {
    const { targetId } = await this.#tools.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.#tools.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    const tab = new BrowserTab(this.#tools, sessionId, targetId);
    await tab.prepare();
    return tab;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    await this.#tools.send('Browser.close').catch(() => {});
    const cut = setTimeout(() => this.#process.kill('SIGKILL'), 3_000);
    await ended;
    clearTimeout(cut);
    this.#tools.close();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Chromium tells on standard error where it listens. */
function devToolsAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}: ${said.slice(-500)}`)));
  });
}
