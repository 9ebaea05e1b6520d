import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EMPTY_DRAFT } from '../../../src/crawls/crawl-draft.ts';
import { FolderLibrary } from '../../../src/crawls/folder-library.ts';
import { changeRun, readRun } from '../../../src/crawls/run-file.ts';
import { tailOf, trimLog } from '../../../src/crawls/run-log.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';
import { killProcess } from '../../running-app.ts';

const FAKE = fileURLToPath(new URL('./fake-crawl.ts', import.meta.url));
const command = [process.execPath, FAKE];
const DRAFT = { ...EMPTY_DRAFT, addresses: 'https://spiders.example/', timeZone: 'UTC' };

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await holds()); looks++) {
    assert.ok(looks < 6000, 'it never came to this');
    await pause(20);
  }
}

const hasBegun =
  (folder: string, times = 1) =>
  (): boolean =>
    tailOf(folder).split('begun: ').length > times;

describe('FolderLibrary', () => {
  test('one app has it; the second is told where the first is', async () => {
    using folder = temporaryFolder();
    await using library = new FolderLibrary(folder.path, { command });
    library.served('http://127.0.0.1:1234/');
    assert.throws(() => new FolderLibrary(folder.path, { command }), {
      code: 'FOLDER_IN_USE',
      message: /at http:\/\/127\.0\.0\.1:1234\//,
    });
  });

  test('a crawl is made of a draft; what is wrong makes nothing', async () => {
    using folder = temporaryFolder();
    await using library = new FolderLibrary(folder.path, { command });
    const wrong = await library.create({ ...DRAFT, name: '../x', repeat: 'cron', cron: 'x', maxPages: 'y' });
    assert.ok('problems' in wrong);
    assert.deepEqual(Object.keys(wrong.problems).sort(), ['cron', 'maxPages', 'name']);
    assert.deepEqual(await library.list(), []);
    assert.deepEqual(await library.create({ ...DRAFT, repeat: 'daily' }), { name: 'spiders.example' });
    const [crawl] = await library.list();
    assert.equal(crawl.condition, 'new');
    assert.ok((crawl.nextRun ?? 0) > Date.now());
    assert.deepEqual(await library.create(DRAFT), { name: 'spiders.example-2' });
    assert.ok('problems' in (await library.create({ ...DRAFT, name: 'spiders.example' })), 'a name is had once');
    const settings = join(folder.path, 'spiders.example', 'orbweaver.yaml');
    appendFileSync(settings, '# a word of mine\n');
    assert.equal(await library.repeat('spiders.example', { ...DRAFT, repeat: 'continuous' }), undefined);
    assert.match(readFileSync(settings, 'utf8'), /continuous: true/);
    assert.match(readFileSync(settings, 'utf8'), /# a word of mine/);
    assert.equal((await library.get('spiders.example'))?.nextRun, undefined);
  });

  test('runs are bounded in number, explained by their exit codes, and started again where they die', async () => {
    using folder = temporaryFolder();
    const path = (name: string): string => join(folder.path, name);
    await using library = new FolderLibrary(folder.path, { command, mostAtOnce: 1 });
    for (const name of ['a', 'b']) {
      await library.create({ ...DRAFT, name });
      await library.start(name);
    }
    await assert.rejects(library.start('a'), { code: 'FOLDER_IN_USE' });
    assert.equal((await library.get('b'))?.condition, 'waiting');
    await until(hasBegun(path('a')));
    assert.match(tailOf(path('a')), /begun: crawl --dir .* --quiet/);
    await assert.rejects(library.remove('a'), { code: 'FOLDER_IN_USE' });
    writeFileSync(join(path('a'), 'end-with'), '4');
    await until(async () => (await library.get('a'))?.condition === 'failed');
    assert.match((await library.get('a'))?.note ?? '', /disk/);
    await until(hasBegun(path('b')));
    killProcess(readRun(path('b'))?.pid);
    await until(hasBegun(path('b'), 2));
    assert.equal(readRun(path('b'))?.restarts.length, 1);
    await library.stop('b');
    await until(async () => (await library.get('b'))?.run?.exitCode === 130);
    await library.remove('b');
    assert.equal((await library.list()).length, 1);
    const [trashed] = await library.trash();
    mkdirSync(path('b'));
    assert.equal(await library.restore(trashed.id), 'b-2', 'its name was taken meanwhile');
    await assert.rejects(library.restore('../../a'), { code: 'FOLDER_NOT_A_CRAWL' });
  });

  test('a schedule starts what is due, and what an app left wanted is taken up', async () => {
    using folder = temporaryFolder();
    const crawl = join(folder.path, 'a');
    const clock = { time: Date.parse('2026-11-01T00:00:00Z'), now: () => clock.time };
    {
      await using library = new FolderLibrary(folder.path, { command, clock });
      await library.create({ ...DRAFT, name: 'a', repeat: 'hourly' });
      clock.time += 3 * 3_600_000;
      library.maintain();
      await until(hasBegun(crawl));
      assert.equal((await library.get('a'))?.nextRun, Date.parse('2026-11-01T04:00:00Z'));
    }
    assert.equal(readRun(crawl)?.wanted, 'running', 'an app that ends does not say that nobody wants it');
    assert.equal(readRun(crawl)?.pid, undefined);
    await using _next = new FolderLibrary(folder.path, { command, clock });
    await until(hasBegun(crawl, 2));
  });

  test('a number that another process has by now is neither signalled nor taken for the crawl', async () => {
    using folder = temporaryFolder();
    const crawl = join(folder.path, 'a');
    mkdirSync(crawl);
    changeRun(crawl, { wanted: 'running', pid: process.pid, processStart: 'long ago', startedAt: 1 });
    await using library = new FolderLibrary(folder.path, { command });
    await until(hasBegun(crawl));
    assert.notEqual(readRun(crawl)?.pid, process.pid);
    rmSync(join(crawl, 'app-run.json'));
    writeFileSync(join(crawl, 'app-run.json'), '{"wanted":"running","pid":"1; rm -rf"');
    assert.equal(readRun(crawl), undefined);
    await library.stop('a');
  });
});

test('a log is cut to its newest lines, also while it is written to', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'app-run.log');
  writeFileSync(path, Array.from({ length: 40_000 }, (_, line) => `line ${line} ${'x'.repeat(30)}`).join('\n'));
  trimLog(folder.path);
  assert.ok(statSync(path).size < 300_000);
  appendFileSync(path, '\nlast');
  assert.match(tailOf(folder.path), /line 39999 x+\nlast$/);
});
