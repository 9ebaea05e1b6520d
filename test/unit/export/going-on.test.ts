import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exportTo, type RunParts, temporaryFolder, writtenTo } from './export-runs.ts';
import { Died, madeSource } from './made-source.ts';

/** Small enough that a hundred pages have several. */
const CHECKPOINTS = { checkpointBytes: 2000 };

const RUNS: readonly RunParts[] = [
  { format: 'csv' },
  { format: 'csv', compression: 'gzip' },
  { format: 'jsonl', compression: 'zstd', options: { columns: ['url', 'text'] } },
  { format: 'csv', options: { table: 'links' } },
  { format: 'csv', options: { table: 'decisions' } },
  { format: 'jsonl', options: { table: 'versions' } },
  { format: 'jsonl', options: { table: 'cells' } },
  { format: 'parquet' },
  { format: 'edges' },
  { format: 'graphml' },
  { format: 'webgraph' },
  { format: 'sitemap' },
  { format: 'llms.txt' },
];

describe('An export that is cut off', () => {
  for (const parts of RUNS) {
    const name = [parts.format, parts.options?.table, parts.compression].filter(Boolean).join(' ');
    test(`goes on to the same bytes, wherever it is cut: ${name}`, async () => {
      using folder = temporaryFolder();
      const whole = join(folder.path, 'whole');
      const { rows } = await exportTo(whole, madeSource({}), { ...parts, ...CHECKPOINTS });
      for (const [at, cut] of [0, 1, 37, 78].entries()) {
        const path = join(folder.path, `cut-${at}`);
        // Twice: what was gone on with may be cut as well.
        for (const diesAt of [cut, cut + 20])
          await exportTo(path, madeSource({ diesAt }), { ...parts, ...CHECKPOINTS }).catch((error: unknown) => {
            assert.ok(error instanceof Died, String(error));
          });
        const again = await exportTo(path, madeSource({}), { ...parts, ...CHECKPOINTS });
        assert.equal(again.rows, rows);
        assert.deepEqual(writtenTo(path), writtenTo(whole), `cut at ${cut}`);
      }
      assert.deepEqual(
        readdirSync(folder.path).filter((file) => file.includes('.part')),
        [],
      );
    });
  }

  test('goes on from the last checkpoint, not from the beginning', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'pages.csv');
    await assert.rejects(exportTo(path, madeSource({ diesAt: 80 }), { format: 'csv', ...CHECKPOINTS }), Died);
    const { resumedAt = 0, rows } = await exportTo(path, madeSource({}), { format: 'csv', ...CHECKPOINTS });
    assert.ok(resumedAt > 40 && resumedAt <= 80, String(resumedAt));
    assert.equal(rows, 100);
  });

  test('goes on between two row groups of Parquet', async () => {
    using folder = temporaryFolder();
    const [path, whole] = [join(folder.path, 'cut.parquet'), join(folder.path, 'whole.parquet')];
    const parts = { format: 'parquet', options: { columns: ['url', 'text'] } };
    // Some megabytes of text are a row group.
    const pages = { pages: 12, textLength: 3 << 20 };
    await exportTo(whole, madeSource(pages), parts);
    await assert.rejects(exportTo(path, madeSource({ ...pages, diesAt: 8 }), parts), Died);
    const { resumedAt } = await exportTo(path, madeSource(pages), parts);
    assert.equal(resumedAt, 6);
    assert.ok(readFileSync(path).equals(readFileSync(whole)));
  });

  test('is begun again where something else is asked for, where it is told to, or where its data are short', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'pages.csv');
    const cut = (): Promise<void> =>
      assert.rejects(exportTo(path, madeSource({ diesAt: 80 }), { format: 'csv', force: true, ...CHECKPOINTS }), Died);
    await cut();
    const others = { format: 'csv', options: { columns: ['url'] }, ...CHECKPOINTS };
    assert.equal((await exportTo(path, madeSource({}), others)).resumedAt, undefined);
    await cut();
    const restarted = { format: 'csv', restart: true, force: true, ...CHECKPOINTS };
    assert.equal((await exportTo(path, madeSource({}), restarted)).resumedAt, undefined);
    await cut();
    writeFileSync(`${path}.part`, 'short');
    const forced = { format: 'csv', force: true, ...CHECKPOINTS };
    assert.equal((await exportTo(path, madeSource({}), forced)).resumedAt, undefined);
    await cut();
    writeFileSync(`${path}.part.json`, '{"half');
    assert.equal((await exportTo(path, madeSource({}), forced)).resumedAt, undefined);
  });

  test('by kill -9 goes on to the same bytes', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'pages.jsonl.gz');
    const program = fileURLToPath(new URL('./export-and-die.ts', import.meta.url));
    const child = spawn(process.execPath, [program, path], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
    while (!existsSync(`${path}.part.json`) && child.exitCode === null) await sleep(20);
    child.kill('SIGKILL');
    assert.equal(await ended, 'SIGKILL');
    assert.equal(existsSync(path), false);
    const parts = { format: 'jsonl', compression: 'gzip', checkpointBytes: 50_000 } as const;
    const { resumedAt = 0 } = await exportTo(path, madeSource({ pages: 2000 }), parts);
    assert.ok(resumedAt > 0);
    const whole = join(folder.path, 'whole.jsonl.gz');
    await exportTo(whole, madeSource({ pages: 2000 }), parts);
    assert.ok(readFileSync(path).equals(readFileSync(whole)));
  });

  test('keeps what is there: a file without --force, a folder with anything in it', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'there.csv');
    writeFileSync(file, 'mine');
    await assert.rejects(exportTo(file, madeSource({}), { format: 'csv' }), /there already/);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    await assert.rejects(exportTo(folder.path, madeSource({}), { format: 'webgraph' }), /there already/);
    await assert.rejects(exportTo(folder.path, madeSource({}), { format: 'csv', force: true }), /is a folder/);
    await exportTo(file, madeSource({}), { format: 'csv', force: true });
    assert.match(readFileSync(file, 'utf8'), /^url,/);
  });
});
