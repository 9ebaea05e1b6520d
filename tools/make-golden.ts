import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GOLDEN_HOST, serveGoldenSite } from '../test/golden/golden-site.ts';

// Makes the crawl folders of test/golden/ with the code of the commits at which each version of state.db was last current:
//   npx node tools/make-golden.ts [VERSION …]
// Needs a clone with its history, and the packages of `npm ci`: earlier versions used the same ones.

/** The last commit before the next version. */
const COMMITS: Readonly<Record<string, string>> = {
  1: 'c2c94742',
  2: '8d5e214a',
  3: 'a6698292',
  4: '29995eb0',
  5: '94517a36',
  6: 'd8936b01^1',
  7: '20e8627f',
};

const root = join(import.meta.dirname, '..');
const target = join(root, 'test', 'golden');
const asked = process.argv.slice(2);
for (const [version, commit] of Object.entries(COMMITS)) {
  if (asked.length === 0 || asked.includes(version)) await make(version, commit);
}

async function make(version: string, commit: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'orbweaver-golden-'));
  const checkout = join(work, 'checkout');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', checkout, commit], { cwd: root });
  try {
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    const folder = join(work, 'golden');
    await crawl(join(checkout, 'src', 'cli', 'main.ts'), folder);
    for (const name of readdirSync(folder)) if (/^(?:monitor\.db|state\.lock)/.test(name)) rmSync(join(folder, name));
    mkdirSync(target, { recursive: true });
    const file = join(target, `state-${version}.tar.gz`);
    // No names and times of this machine.
    const options = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=2026-01-01'];
    execFileSync('tar', ['-czf', file, ...options, '-C', work, 'golden']);
    console.log(`${file}: ${statSync(file).size} bytes, by ${commit}`);
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: root });
    rmSync(work, { recursive: true, force: true });
  }
}

/** Stops at its limit of pages, so that URLs are left for another version to crawl. */
async function crawl(program: string, folder: string): Promise<void> {
  await using site = await serveGoldenSite();
  const options = ['--proxy', `http://127.0.0.1:${site.port}`, '--delay', '10ms', '--max-pages', '4', '--quiet'];
  const args = [program, 'crawl', `http://${GOLDEN_HOST}/`, '--dir', folder, ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  if (code !== 0 && code !== 2) throw new Error(`the crawl ended with ${code}`);
}
