import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { resolveSettings } from '../../../src/base/settings/resolve-settings.ts';
import { openCrawl } from '../../../src/crawl/assemble.ts';
import { FolderControl } from '../../../src/crawl/control/folder-control.ts';
import { CrawlCatalogue } from '../../../src/crawls/catalogue.ts';
import { conditionOf, type Seen } from '../../../src/crawls/condition.ts';
import { folderSize } from '../../../src/crawls/folder-size.ts';
import { isLibrary } from '../../../src/crawls/library-folder.ts';
import { isFolderLocked, lockFolder } from '../../../src/engines/folder-lock.ts';
import { conditionBadge } from '../../../src/web/crawls/crawl-words.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';
import { quickOrLong } from '../../property-runs.ts';

const clock = { now: () => Date.now() };

/** A crawl that has begun and waits for its seed. */
async function makeCrawl(folder: string): Promise<void> {
  const { settings } = resolveSettings({ file: { workers: 0 } });
  await using crawl = await openCrawl({ folder, settings, version: '0.0.0' });
  await crawl.addSeeds(['https://spiders.example/']);
}

/** What is written from now on has another time than what was written before: file systems do not tell instants that are close to each other apart. */
async function nextFileTime(folder: string, ...names: readonly string[]): Promise<void> {
  const probe = join(folder, '.time');
  const written = Math.max(...names.map((name) => statSync(join(folder, name)).mtimeMs));
  for (let looks = 0; ; looks++) {
    writeFileSync(probe, '');
    if (statSync(probe).mtimeMs > written) break;
    assert.ok(looks < 6000, 'the time of files stands still');
    await pause(1);
  }
  rmSync(probe);
}

describe('CrawlCatalogue', () => {
  test('a crawl that runs and is paused is shown as paused', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a');
    await makeCrawl(path);
    let now = 1_000_000;
    const catalogue = new CrawlCatalogue(folder.path, { clock: { now: () => now }, activity: () => 'running' });
    const look = async () => {
      now += 60_000;
      const [crawl] = await catalogue.list();
      return [String(conditionBadge(crawl)).replace(/<[^>]*>/g, ''), crawl.note];
    };
    assert.deepEqual(await look(), ['Running', '']);
    using control = new FolderControl(path);
    control.ask({ kind: 'pause' }, 'page');
    assert.deepEqual(await look(), ['Paused', 'It asks for nothing until it is resumed, on its control page.']);
    await nextFileTime(path, 'control.db');
    control.ask({ kind: 'resume' }, 'page');
    assert.deepEqual(await look(), ['Running', '']);
  });

  test('shows crawls, and of broken and foreign folders what is wrong with them', async () => {
    using folder = temporaryFolder();
    const library = folder.path;
    await makeCrawl(join(library, 'good'));
    for (const name of [
      'empty',
      'corrupt',
      'not-sqlite',
      '<img src=x onerror=alert(1)>',
      'settings',
      'bad-settings',
      '.hidden',
    ])
      mkdirSync(join(library, name));
    writeFileSync(join(library, 'a file'), '');
    cpSync(join(library, 'good', 'state.db'), join(library, 'corrupt', 'state.db'));
    writeFileSync(join(library, 'corrupt', 'state.db'), Buffer.alloc(8192, 0x41));
    writeFileSync(join(library, 'not-sqlite', 'state.db'), 'hello');
    writeFileSync(join(library, 'settings', 'orbweaver.yaml'), 'seed: [https://a.example/]\ncontinuous: true\n');
    writeFileSync(join(library, 'bad-settings', 'orbweaver.yaml'), '{ : nope');
    symlinkSync(join(library, 'good'), join(library, 'link'));
    if (process.platform !== 'win32') {
      mkdirSync(join(library, 'pipe'));
      assert.equal(spawnSync('mkfifo', [join(library, 'pipe', 'state.db')]).status, 0);
      assert.equal(spawnSync('mkfifo', [join(library, 'pipe', 'state.lock')]).status, 0);
    }
    const catalogue = new CrawlCatalogue(library, { clock, activity: () => undefined });
    const found = new Map((await catalogue.list()).map((crawl) => [crawl.name, crawl]));
    assert.equal(found.get('good')?.facts?.queued, 1);
    assert.equal(found.get('good')?.facts?.pages, 0);
    // A list waits only a little for sizes; what a busy machine has not measured by then comes with a later one.
    let { size } = found.get('good') ?? {};
    for (let looks = 0; size === undefined; looks++) {
      assert.ok(looks < 6000, 'its size is never known');
      await pause(1);
      ({ size } = (await catalogue.get('good')) ?? {});
    }
    assert.ok(size.bytes > 4096);
    const conditions = Object.fromEntries([...found].map(([name, { condition }]) => [name, condition]));
    assert.deepEqual(conditions, {
      ...{
        good: 'interrupted',
        link: 'interrupted',
        empty: 'foreign',
        corrupt: 'broken',
        'not-sqlite': 'broken',
        settings: 'new',
      },
      ...{ 'bad-settings': 'broken', '<img src=x onerror=alert(1)>': 'foreign' },
      ...(process.platform === 'win32' ? {} : { pipe: 'broken' }),
    });
    assert.equal(found.get('settings')?.continuous, true);
    assert.match(found.get('corrupt')?.note ?? '', /check --repair|state\.db/);
    assert.equal(await catalogue.get('../good'), undefined);
    rmSync(join(library, 'good'), { recursive: true });
    rmSync(join(library, 'link'));
    assert.equal(
      (await catalogue.list()).some(({ name }) => name === 'good'),
      false,
      'what is gone is not shown',
    );
  });

  test('is fine with many folders, and reads what did not change only once', async () => {
    using folder = temporaryFolder();
    await makeCrawl(join(folder.path, 'crawl-0'));
    const many = quickOrLong(150, 500);
    for (let number = 1; number < many; number++)
      cpSync(join(folder.path, 'crawl-0'), join(folder.path, `crawl-${number}`), { recursive: true });
    let now = 1_000_000;
    // Every look is so late that what had changed would be read again.
    const later = { now: () => (now += 60_000) };
    const catalogue = new CrawlCatalogue(folder.path, { clock: later, activity: () => undefined });
    const crawls = await catalogue.list();
    assert.equal(crawls.length, many);
    assert.deepEqual(
      crawls.slice(0, 3).map(({ name }) => name),
      ['crawl-0', 'crawl-1', 'crawl-2'],
      'as people count',
    );
    assert.ok(crawls.every(({ facts }) => facts?.queued === 1));
    assert.equal((await catalogue.list())[7].facts, crawls[7].facts);
    assert.equal((await catalogue.list())[7].facts, crawls[7].facts);
    assert.ok(isLibrary(folder.path) && !isLibrary(join(folder.path, 'crawl-0')));
  });

  test('a folder in use is seen without disturbing whoever uses it', () => {
    using folder = temporaryFolder();
    assert.equal(isFolderLocked(folder.path), false);
    const lock = lockFolder(folder.path);
    assert.equal(isFolderLocked(folder.path), true);
    lock[Symbol.dispose]();
    assert.equal(isFolderLocked(folder.path), false);
    lockFolder(folder.path)[Symbol.dispose]();
  });

  test('sizes are bounded, and links are not followed', async () => {
    using folder = temporaryFolder();
    for (let number = 0; number < 20; number++) writeFileSync(join(folder.path, String(number)), 'x'.repeat(100));
    symlinkSync('/', join(folder.path, 'root'));
    assert.deepEqual(await folderSize(folder.path), { bytes: 2000, atLeast: false });
    assert.equal((await folderSize(folder.path, 5)).atLeast, true);
  });
});

describe('conditionOf', () => {
  const facts = { seeds: [], pages: 1, requests: 1, bytes: 1, queued: 0, hosts: 1, startedAt: 100 };
  const seen: Seen = { holds: 'crawl', facts, fault: undefined, run: undefined, activity: undefined, locked: false };
  const run = { wanted: 'running', kind: 'crawl', again: false, restarts: [] } as const;
  const cases: readonly (readonly [string, Partial<Seen>])[] = [
    ['interrupted', {}],
    ['finished', { facts: { ...facts, endedAt: 200, ended: 'finished' } }],
    ['finished', { facts: { ...facts, endedAt: 200, ended: 'limit: max-pages' } }],
    ['stopped', { facts: { ...facts, endedAt: 200, ended: 'stopped' } }],
    ['running', { locked: true }],
    ['running', { activity: 'running', run }],
    ['stopping', { activity: 'running', run: { ...run, wanted: 'stopped' } }],
    ['waiting', { activity: 'waiting', run }],
    ['failed', { run: { ...run, wanted: 'stopped', exitCode: 4, endedAt: 300 } }],
    ['finished', { facts: { ...facts, endedAt: 400, ended: 'finished' }, run: { ...run, exitCode: 4, endedAt: 300 } }],
    ['interrupted', { run: { ...run, signal: 'SIGKILL', endedAt: 300 } }],
    ['stopped', { run: { ...run, wanted: 'stopped', exitCode: 130, endedAt: 300 } }],
    ['stopped', { run: { ...run, wanted: 'stopped', signal: 'SIGTERM', endedAt: 300 } }],
    ['interrupted', { run: { ...run, wanted: 'stopped', signal: 'SIGKILL', endedAt: 300 } }],
    ['failed', { holds: 'settings', facts: undefined, run: { ...run, exitCode: 2, endedAt: 300 } }],
    ['new', { holds: 'settings', facts: undefined }],
    ['imported', { holds: 'documents', facts: undefined }],
    ['broken', { facts: undefined, fault: 'damaged' }],
    ['foreign', { holds: 'nothing', facts: undefined }],
  ];
  for (const [condition, change] of cases) {
    test(`${condition}: ${JSON.stringify(change)}`, () => {
      assert.equal(conditionOf({ ...seen, ...change }).condition, condition);
    });
  }

  test('what has ended while it was paused says that its next run waits', () => {
    const ended = { ...facts, endedAt: 200, ended: 'finished' };
    assert.equal(conditionOf({ ...seen, facts: ended }).note, '');
    assert.match(
      conditionOf({ ...seen, facts: { ...ended, pausedAt: 150 } }).note,
      /asks for nothing until it is resumed/,
    );
  });
});
