/**
 * Runs the tests of some folders or files in two processes more than there are cores, with one report at the end: a test that waits leaves its
 * core to another.
 *
 *   node tools/run-tests.ts test/unit test/crawl [--processes 2] [--test-limit 300] [--hangs-after 600] [--slowest 40] [--seed random] [--long]
 */
import { randomInt } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { spec } from 'node:test/reporters';
import { inspect, parseArgs } from 'node:util';
import type { QueuedFile } from './run-tests/file-queue.ts';
import { quickTemporaryFolder } from './run-tests/quick-temporary-folder.ts';
import type { ShardEvent } from './run-tests/shard-messages.ts';
import { TestShards } from './run-tests/test-shards.ts';
import { TestTotals } from './run-tests/test-totals.ts';

const ROOT = join(import.meta.dirname, '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    processes: { type: 'string', default: String(availableParallelism() + 2) },
    'test-limit': { type: 'string', default: '300' },
    'hangs-after': { type: 'string', default: '600' },
    slowest: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    long: { type: 'boolean', default: false },
  },
});
const began = performance.now();
const totals = new TestTotals();
const report = new spec();
report.pipe(process.stdout);
// Processes of tests compile the same modules again and again.
const cache = join(ROOT, 'node_modules/.cache/compiled');
using temporary = quickTemporaryFolder();
// Properties try the same cases in every run, and others when asked: what fails by chance says nothing of the last change.
const seed = values.seed === 'random' ? String(randomInt(2 ** 31)) : values.seed;
if (values.seed === 'random') note(`seed ${seed}`);
await new TestShards({
  files: testFiles(positionals),
  processes: Number(values.processes),
  testLimitMs: Number(values['test-limit']) * 1000,
  hangsAfterMs: Number(values['hangs-after']) * 1000,
  env: {
    ...{ NODE_COMPILE_CACHE: cache, ...process.env, TMPDIR: temporary.path, TEST_SEED: seed },
    // What one test makes and others may copy.
    TEST_SHARED: temporary.path,
    ...(values.long ? { TEST_LONG: '1' } : {}),
  },
  report: (events) => {
    for (const event of events) {
      totals.count(event);
      report.write(readable(event));
    }
  },
  spent: (file, cpuMs) => totals.spend(file, cpuMs),
}).run();
const { tests, files } = totals.slowest(Number(values.slowest));
if (tests.length > 0) note('slowest tests', ...tests, 'files by processor time', ...files);
for (const line of totals.summary(performance.now() - began)) note(line);
report.end();
if (!totals.passed) process.exitCode = 1;

function note(...messages: string[]): void {
  for (const message of messages)
    report.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
}

/** All tests of the folders, and those that are named. */
function testFiles(paths: readonly string[]): QueuedFile[] {
  const found = paths.flatMap((given) =>
    given.endsWith('.test.ts')
      ? [resolve(given)]
      : globSync('**/*.test.ts', { cwd: given }).map((path) => resolve(given, path)),
  );
  return found.map((path) => {
    const [top, kind, ...below] = relative(ROOT, path).split(sep);
    // Those of a folder of sources are a group. A byte of a whole crawl takes about seven times as long.
    return below.length > 1
      ? { path, group: join(top, kind, below[0]), weight: statSync(path).size }
      : { path, group: join(top, kind), weight: 7 * statSync(path).size };
  });
}

/** The reporter shows errors as `inspect` does: theirs has come as text. */
function readable({ type, data }: ShardEvent): { type: string; data: object } {
  const error = data.details?.error;
  if (error === undefined) return { type, data };
  const shown = { failureType: error.failureType, [inspect.custom]: () => error.text };
  return { type, data: { ...data, details: { ...data.details, error: shown } } };
}
