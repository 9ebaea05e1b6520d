/**
 * Follows the tutorial and the how-to guides word by word: types their commands into a shell, in an empty folder, and compares
 * what they print with what the pages show.
 *
 *   node tools/test-docs.ts [PAGE...]
 */
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { followPage } from './test-docs/follow-page.ts';
import { shellSteps } from './test-docs/shell-steps.ts';

const ROOT = join(import.meta.dirname, '..');
/** The ports that the pages name. */
const PORTS = [8787, 8788, 8790, 8791, 8792, 8793];

const pages =
  process.argv.length > 2
    ? process.argv.slice(2)
    : ['docs/tutorial.md', ...globSync('docs/how-to/*.md', { cwd: ROOT }).sort()].map((page) => join(ROOT, page));

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const taken: number[] = [];
for (const port of PORTS) if (!(await isFree(port))) taken.push(port);
if (taken.length > 0) {
  console.error(`The pages use port ${taken.join(', ')}, which another program has. End that first.`);
  process.exit(1);
}

let failed = 0;
let notRun = 0;
for (const page of pages) {
  const results = await followPage(shellSteps(readFileSync(page, 'utf8')));
  const seconds = results.reduce((sum, one) => sum + one.seconds, 0);
  const ran = results.filter(({ step }) => step.notRun === undefined);
  console.log(`${relative(ROOT, page)}: ${ran.length} steps, ${seconds.toFixed(0)} s`);
  for (const { step, failure } of results) {
    if (step.notRun !== undefined) {
      notRun++;
      console.log(`  line ${step.line}: not run: ${step.notRun}`);
    }
    if (failure === undefined) continue;
    failed++;
    console.log(
      `  line ${step.line}: FAILED\n${step.commands.replace(/^/gm, '    $ ')}\n${failure.replace(/^/gm, '    ')}`,
    );
  }
}
console.log(`${pages.length} pages, ${failed} failed, ${notRun} steps not run`);
process.exitCode = failed > 0 ? 1 : 0;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
