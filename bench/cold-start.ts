/**
 * What starting costs: `--version`, and `search` over an index that was read before, each in a process of its own; then the size of an
 * installation and the number of its packages.
 *   npm run bench:cold-start -- [--runs 15] [--package FOLDER]
 * With --package, FOLDER is one into which the package was installed; else the checkout is measured, which reads TypeScript.
 * Wall-clock times count on an idle machine alone: CPU times are shown beside them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readLockFile } from '../tools/lock-file.ts';

const GOALS_MS = { version: 150, search: 400 };
const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' }, package: { type: 'string' } } });
const runs = Number(values.runs);
const modules = join(values.package ?? root, 'node_modules');
const program =
  values.package === undefined
    ? join(root, 'bin', 'orbweaver.cjs')
    : join(modules, 'orbweaver', 'bin', 'orbweaver.cjs');

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-cold-start-'));
try {
  const crawl = ['start', '--demo', '--once', '--dir', folder, '--max-pages', '200'];
  execFileSync(process.execPath, [program, ...crawl], { stdio: ['ignore', 'ignore', 'inherit'] });
  report('--version', measure(['--version']), GOALS_MS.version);
  report('search', measure(['search', 'the', '--dir', folder]), GOALS_MS.search);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.package !== undefined) console.log(`installed: ${(bytesOf(modules) / 2 ** 20).toFixed(1)} MB`);
const published = readLockFile(new URL('../package-lock.json', import.meta.url)).filter(
  ({ dev, optional }) => !dev && !optional,
);
console.log(`packages: ${published.length}, ${new Set(published.map(({ name }) => name)).size} names`);

interface Sample {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** The first run warms the caches of the system and of compiled code, and does not count. */
function measure(args: readonly string[]): Sample[] {
  const samples: Sample[] = [];
  for (let i = 0; i <= runs; i++) {
    const before = childCpuMs();
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    const wallMs = performance.now() - startedAt;
    if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr}`);
    if (i > 0) samples.push({ wallMs, cpuMs: childCpuMs() - before });
  }
  return samples;
}

/** Of children that have ended; NaN where the system does not tell. */
function childCpuMs(): number {
  const shown = spawnSync('cat', [`/proc/${process.pid}/stat`], { encoding: 'utf8' }).stdout ?? '';
  const fields = shown.slice(shown.lastIndexOf(')') + 2).split(' ');
  // cutime and cstime, in hundredths of a second.
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function report(what: string, samples: readonly Sample[], goalMs: number): void {
  const median = (of: (sample: Sample) => number): number => samples.map(of).sort((a, b) => a - b)[samples.length >> 1];
  const wall = median(({ wallMs }) => wallMs);
  const shown = `median ${wall.toFixed(0)} ms, CPU ${median(({ cpuMs }) => cpuMs).toFixed(0)} ms, of ${samples.length}`;
  console.log(`${what}: ${shown}; goal ${goalMs} ms ${wall < goalMs ? 'met' : 'missed'}`);
}

function bytesOf(path: string): number {
  let bytes = 0;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}
