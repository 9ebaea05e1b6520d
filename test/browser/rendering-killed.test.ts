import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createCrawl } from '../../src/index.ts';
import { findBrowser } from '../../src/render/find-browser.ts';
import { temporaryFolder } from '../crawl/crawl-web.ts';
import { ScriptedWeb } from './scripted-web.ts';

const skip = findBrowser() === undefined ? 'no Chrome or Chromium on this machine' : process.platform === 'win32';
const PATIENCE_MS = 120_000;

async function until(holds: () => boolean, otherwise: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > end) assert.fail(otherwise);
    await pause(100);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('the browser of a crawl that is killed ends, and the next run clears its profile away', { skip }, async () => {
  await using web = await ScriptedWeb.start({ pages: 1, items: 30 });
  using folder = temporaryFolder();
  const seed = web.seeds[2];
  const program = join(import.meta.dirname, '..', '..', 'bin', 'orbweaver.cjs');
  const hosts = Object.entries(web.hosts).flatMap(([name, address]) => ['--hosts', `${name}=${address}`]);
  const flags = ['--dir', folder.path, '--render', 'always', '--allow-private', ...hosts];
  const crawl = spawn(process.execPath, [program, 'crawl', seed, ...flags], { stdio: 'ignore' });
  const note = join(folder.path, 'browser.json');
  // Whoever waits for the first page that the browser asks for has a browser that works.
  await until(() => web.requests.some(({ path }) => path.startsWith('/api')), 'no page was rendered');
  const { pid, profile } = JSON.parse(readFileSync(note, 'utf8'));
  assert.ok(isRunning(pid) && existsSync(profile));
  crawl.kill('SIGKILL');
  await until(() => !isRunning(pid), 'the browser did not end');
  assert.ok(existsSync(profile), 'nobody was left to clear it away');
  await using _next = await createCrawl({ folder: folder.path, seeds: [], allowPrivate: true, hosts: web.hosts });
  assert.ok(!existsSync(profile));
  assert.ok(!existsSync(note));
});
