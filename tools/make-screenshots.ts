/**
 * The pictures of the README: crawls the demo web and photographs what a browser shows of it.
 *
 *   npm run screenshots -- [FOLDER]        default: docs/images
 *
 * Needs Chromium on the PATH.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Chromium, findChromium } from '../test/browser/chromium.ts';
import type { BrowserTab } from '../test/browser/dev-tools.ts';

const ROOT = join(import.meta.dirname, '..');
const [WIDTH, HEIGHT] = [1280, 800];
const QUALITY = 80;
/** By then a crawl of the demo web has something to show, and is not over. */
const DASHBOARD_AFTER_MS = 3000;
const PATIENCE_MS = 300_000;

const target = process.argv[2] ?? join(ROOT, 'docs', 'images');
const chromium = findChromium();
if ('missing' in chromium) {
  console.error(`No pictures can be taken: ${chromium.missing}.`);
  process.exit(1);
}
mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'orbweaver-pictures-'));
const app = spawn(
  process.execPath,
  [join(ROOT, 'bin', 'orbweaver.cjs'), 'start', '--demo', '--dir', join(folder, 'spiders'), '--port', '0'],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
let said = '';
app.stderr.setEncoding('utf8').on('data', (text: string) => {
  said += text;
});
try {
  const [url = ''] = await told(/http:\/\/127\.0\.0\.1:\d+\//);
  await using browser = await Chromium.start(chromium.path);
  const tab = await browser.openTab();
  await tab.resize(WIDTH, HEIGHT);
  await tab.prefer('light');
  await tab.open(`${url}dashboard`);
  await pause(DASHBOARD_AFTER_MS);
  await photograph(tab, 'dashboard');
  await told(/The search page is served/);
  for (const [name, address] of [
    ['search', 'search?q=orb+web'],
    ['graph', 'graph'],
    ['report', 'report'],
  ] as const) {
    await tab.open(`${url}${address}`);
    // Pictures and drawings come after the page.
    await pause(2000);
    await photograph(tab, name);
  }
} finally {
  app.kill('SIGINT');
  await new Promise((resolve) => app.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}

async function photograph(tab: BrowserTab, name: string): Promise<void> {
  const { data } = await tab.send<{ data: string }>('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const file = join(target, `${name}.webp`);
  const bytes = Buffer.from(data, 'base64');
  writeFileSync(file, bytes);
  console.log(`${file}: ${Math.round(bytes.length / 1000)} kB`);
}

/** Waits until the app has said something. */
async function told(pattern: RegExp): Promise<RegExpExecArray> {
  const limit = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = pattern.exec(said);
    if (found !== null) return found;
    if (app.exitCode !== null || performance.now() > limit) throw new Error(`The app did not say ${pattern}:\n${said}`);
    await pause(100);
  }
}
