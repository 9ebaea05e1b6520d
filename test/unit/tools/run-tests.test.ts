import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { TestShards } from '../../../tools/run-tests/test-shards.ts';

const RUNNER = join(import.meta.dirname, '../../../tools/run-tests.ts');
const folder = mkdtempSync(join(tmpdir(), 'orbweaver-runner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Runs the files in one process, unless the flags say otherwise: each costs as much as most of these tests. */
async function runFiles(name: string, files: Readonly<Record<string, string>>, ...flags: string[]): Promise<Ended> {
  const path = mkdtempSync(join(folder, name));
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(path, `${file}.test.ts`), `import { test, after, describe } from 'node:test';\n${text}`);
  }
  // Colours would be in the way; and this process is one of a test run itself.
  const { NODE_TEST_CONTEXT: _, FORCE_COLOR: __, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [RUNNER, path, '--processes', '1', ...flags], { env }, (error, stdout, stderr) => {
      const counts = [...stdout.matchAll(/^ℹ (\w+) (\d+)$/gm)].map(([, key, count]) => [key, Number(count)]);
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr, counts: Object.fromEntries(counts) });
    });
  });
}

// Each waits for processes: together they wait no longer than one.
describe('the runner of all tests', { concurrency: true }, () => {
  test('files are shared out over processes, with one summary in the form of Node', async () => {
    const { code, output, counts } = await runFiles(
      'good',
      {
        one: `test('a', async (t) => { await t.test('b', () => {}); }); test('c', { skip: 'no data' }, () => {});`,
        two: `let over = false; after(() => { over = true; }); describe('d', () => { test('e', () => { if (over) throw 1; }); });`,
        three: `import { pid } from 'node:process'; test('process ' + pid, () => {});`,
      },
      ...['--processes', '2'],
    );
    assert.equal(code, 0, output);
    assert.deepEqual(counts, { tests: 5, suites: 1, pass: 4, fail: 0, cancelled: 0, skipped: 1, todo: 0 });
    assert.match(output, /^ℹ duration_ms \d/m);
    assert.match(output, /^﹣ c .*# no data$/m);
  });

  test('a failure, a file that cannot be loaded and a process that ends fail the run and are named', async () => {
    const { code, output, counts } = await runFiles('bad', {
      fails: `test('wrong sum', () => { throw new Error('3 is not 4'); }); test('right', () => {});`,
      broken: `throw new Error('cannot be loaded');`,
      ends: `test('ends all', () => { process.exit(0); });`,
      good: `test('good', () => {});`,
      better: `test('better', () => {});`,
    });
    assert.equal(code, 1);
    assert.deepEqual(
      { ...counts, suites: 0 },
      { tests: 6, suites: 0, pass: 3, fail: 3, cancelled: 0, skipped: 0, todo: 0 },
    );
    assert.match(output, /wrong sum[\s\S]*3 is not 4/);
    assert.match(output, /broken\.test\.ts[\s\S]*cannot be loaded/);
    assert.match(output, /ended with exit code 0 in or after: .*ends\.test\.ts > ends all/);
  });

  test('a test that never ends is named, and the others are run', async () => {
    const { code, output, counts } = await runFiles(
      'hanging',
      {
        hangs: `test('for ever', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`,
        good: `test('good', () => {});`,
      },
      ...['--hangs-after', '10'],
    );
    assert.deepEqual([code, counts.pass, counts.fail], [1, 1, 1], output);
    assert.match(output, /hung for 10 s and was killed in or after: .*hangs\.test\.ts > for ever/);
  });

  test('a test that waits for too long fails by its name, and those after it are run', async () => {
    const { code, output, counts } = await runFiles(
      'waiting',
      {
        waits: `test('in vain', () => new Promise((r) => setTimeout(r, 600_000))); test('next', () => {});
          test('longer', { timeout: 60_000 }, () => new Promise((r) => setTimeout(r, 2500)));`,
      },
      ...['--test-limit', '2'],
    );
    assert.deepEqual([code, counts.pass, counts.fail, counts.cancelled], [1, 2, 0, 1], output);
    assert.match(output, /✖ in vain[\s\S]*timed out after 2000ms/);
  });

  test('an error that comes when its test is over, or in a callback of a running one, fails the run', async () => {
    const late = await runFiles('late', {
      late: `test('over', () => { setTimeout(() => { throw new Error('too late'); }, 20); }); test('next', () => new Promise((r) => setTimeout(r, 200)));`,
    });
    assert.equal(late.code, 1, late.output);
    assert.match(late.output, /too late/);
    const running = await runFiles('running', {
      running: `test('waits', () => new Promise((resolve) => { setTimeout(() => { setImmediate(resolve); throw new Error('on the way'); }, 20); }));`,
      rejected: `test('rejects', async () => { Promise.reject(new Error('nobody hears it')); await new Promise((r) => setTimeout(r, 50)); });`,
    });
    assert.equal(running.code, 1, running.output);
    assert.match(running.output, /on the way/);
    assert.match(running.output, /nobody hears it/);
  });

  test('tests within tests and hooks belong to what they stand in, also after waiting', async () => {
    const { code, output, counts } = await runFiles('nested', {
      nested: `import { beforeEach } from 'node:test';
        describe('outer', () => {
          let begun = 0;
          beforeEach(() => { begun++; });
          test('first', async (t) => { await new Promise((r) => setTimeout(r, 5)); await t.test('inner', () => {}); });
          test('second', () => { if (begun < 2) throw new Error('hooks: ' + begun); });
        });`,
    });
    assert.equal(code, 0, output);
    assert.deepEqual([counts.tests, counts.suites, counts.pass], [3, 1, 3], output);
    assert.match(output, /^▶ outer\n {2}▶ first\n {4}✔ inner/m);
  });

  test('processes that cannot be started are reported, and the run ends', async () => {
    const reported: (string | undefined)[] = [];
    await new TestShards({
      files: ['one.test.ts', 'two.test.ts'].map((path) => ({ path, group: '', weight: 1 })),
      ...{ processes: 2, testLimitMs: 60_000, hangsAfterMs: 60_000 },
      env: { ...process.env, NODE_OPTIONS: '--import data:text/javascript,process.exit(3)' },
      report: (events) => reported.push(...events.map(({ data }) => data.details?.error?.text)),
      spent: () => {},
    }).run();
    assert.equal(reported.length, 2);
    for (const text of reported) assert.match(String(text), /^The test process ended with exit code 3/);
  });

  test('no test at all is a failure', async () => {
    assert.equal((await runFiles('none', {})).code, 1);
    assert.equal((await runFiles('empty', { empty: '' })).code, 1);
  });
});
