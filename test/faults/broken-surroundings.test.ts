import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkFolder } from '../../src/crawl/check/check-folder.ts';
import { repairFolder } from '../../src/crawl/check/repair-folder.ts';
import { createCrawl } from '../../src/index.ts';
import { callProgram as orbweaver } from '../called-program.ts';
import { storedPages, temporaryFolder } from '../crawl/crawl-web.ts';
import { copyOf, cutEnd, overwrite, pagesOfTable, warcsOf } from './damaged-folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));
const quiet = (): void => {};

function ended(file: string, ...args: string[]): Promise<{ readonly status: number; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(file, args, (error, _stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stderr }));
  });
}

describe('a crawl whose surroundings are broken', () => {
  const folders = temporaryFolder();
  const whole = join(folders.path, 'whole');
  let server: Server;
  let seed: string;

  before(async () => {
    server = createServer((request, response) => {
      // Undeclared C1 controls are an escape to many terminals, as ESC itself is; Node sends no ESC, but files hold it.
      response.setHeader('Content-Type', 'text/html');
      response.setHeader('X-Evil', 'a\u009b31mb');
      const body = '<title>t\u001b]0;owned\u0007</title><p>red\u001b[31m</p>';
      response.end(request.url === '/robots.txt' ? '' : `${body}<a href="/a">a</a><a href="/b">b</a>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await using crawl = await createCrawl({ folder: whole, seeds: [seed], allowPrivate: true, delay: 0, workers: 0 });
    await crawl.run();
  });
  after(() => {
    server.close();
    folders[Symbol.dispose]();
  });

  async function refused(
    name: string,
    damage: (folder: string) => void,
    code: RegExp,
    args = ['crawl'],
  ): Promise<void> {
    const folder = copyOf(whole, join(folders.path, name));
    damage(folder);
    const { status, stderr } = await orbweaver([...args, '--dir', folder]);
    assert.equal(status, 3, stderr);
    assert.match(stderr, code);
    assert.doesNotMatch(stderr, /INTERNAL|at file:/);
    assert.ok(warcsOf(folder).length > 0, 'the archive is left alone');
  }

  test('a damaged state is FOLDER_CORRUPT for whoever meets it, with the command that repairs it', async () => {
    const damage = (folder: string): void => {
      for (const page of pagesOfTable(folder, 'page'))
        overwrite(join(folder, 'state.db'), (page - 1) * 4096, Buffer.alloc(4096));
    };
    await refused('explained', damage, /FOLDER_CORRUPT.*orbweaver check --repair --dir/s, ['explain', seed]);
    const meta = (folder: string): void => {
      for (const page of pagesOfTable(folder, 'meta'))
        overwrite(join(folder, 'state.db'), (page - 1) * 4096, Buffer.alloc(4096));
    };
    await refused('crawled', meta, /FOLDER_CORRUPT.*orbweaver check --repair --dir/s);
  });

  test('a state that is empty, gone, or something else beside an archive: nothing is thrown away', async () => {
    await refused('emptied', (folder) => truncateSync(join(folder, 'state.db'), 0), /FOLDER_CORRUPT.*gone or empty/s);
    await refused('lost', (folder) => rmSync(join(folder, 'state.db')), /FOLDER_CORRUPT.*gone or empty/s);
    await refused(
      'text',
      (folder) => writeFileSync(join(folder, 'state.db'), 'no database '.repeat(1000)),
      /FOLDER_CORRUPT/,
    );
    const check = await orbweaver(['check', '--repair', '--dir', join(folders.path, 'text')]);
    assert.equal(check.status, 3);
    assert.match(check.stderr, /FOLDER_CORRUPT: Nothing of .*state\.db can be read/);
  });

  test('an archive folder that cannot be one', async () => {
    const folder = join(folders.path, 'file');
    mkdirSync(folder);
    writeFileSync(join(folder, 'archive'), 'x');
    const { status, stderr } = await orbweaver(['crawl', seed, '--allow-private', '--dir', folder]);
    assert.equal(status, 3);
    assert.match(stderr, /FOLDER_UNWRITABLE.*--dir/s);
  });

  test('too few file handles: FILE_LIMIT with the limit and the remedy', {
    skip: process.platform !== 'linux',
  }, async () => {
    const folder = join(folders.path, 'handles');
    const crawl = [process.execPath, LAUNCHER, 'crawl', seed, '--allow-private', '--dir', folder, '--no-index'];
    const { status, stderr } = await ended('sh', '-c', 'ulimit -n 24; exec "$@"', 'sh', ...crawl);
    assert.equal(status, 4, stderr);
    assert.match(stderr, /FILE_LIMIT: This process may have 24 files.*ulimit -n/s);
  });

  test('a repair that was cut off is completed by the next one', async () => {
    const folder = copyOf(whole, join(folders.path, 'cut-off'));
    cutEnd(warcsOf(folder)[0], 900);
    const before = copyOf(folder, join(folders.path, 'before'));
    await repairFolder(folder, quiet);
    // As it is between the two last steps: the new state is complete, the old one and its log are still there.
    copyFileSync(join(folder, 'state.db'), join(before, 'state.db.repaired'));
    copyFileSync(warcsOf(folder)[0], warcsOf(before)[0]);
    for (const file of ['.cdxj', '.cdxj.sorted'])
      copyFileSync(warcsOf(folder)[0].replace('.warc.gz', file), warcsOf(before)[0].replace('.warc.gz', file));
    writeFileSync(join(before, 'state.db.draft'), 'half made');
    const { status, stderr } = await orbweaver(['crawl', '--dir', before]);
    assert.equal(status, 3);
    assert.match(stderr, /FOLDER_CORRUPT: A repair.*cut off.*orbweaver check --repair/s);
    assert.equal((await checkFolder(before, quiet)).problems[0].code, 'repair-unfinished');
    const repaired = await repairFolder(before, quiet);
    assert.deepEqual(repaired.remaining, []);
    assert.deepEqual((await checkFolder(before, quiet)).problems, []);
    assert.deepEqual(storedPages(before), storedPages(folder));
    assert.ok(!existsSync(join(before, 'state.db.draft')));
  });

  test('a repair that was killed before its end is done again in full', async () => {
    const folder = copyOf(whole, join(folders.path, 'killed'));
    cutEnd(warcsOf(folder)[0], 900);
    copyFileSync(join(folder, 'state.db'), join(folder, 'state.db.damaged'));
    writeFileSync(join(folder, 'state.db.draft'), 'half made');
    writeFileSync(join(folder, 'state.db.draft.source'), 'half copied');
    assert.deepEqual((await repairFolder(folder, quiet)).remaining, []);
    assert.deepEqual((await checkFolder(folder, quiet)).problems, []);
  });

  const noScript = spawnSync('script', ['--version']).status === 0 ? false : 'needs script(1)';
  test('nothing that came from the web steers a terminal; what is piped is byte for byte', {
    skip: noScript,
  }, async () => {
    const page = ['get', seed, '--headers', '--dir', whole];
    const piped = await orbweaver(page);
    assert.ok(piped.stdout.includes('\u001b]0;owned\u0007'), 'as the server sent it');
    for (const args of [
      page,
      ['get', seed, '--text', '--dir', whole],
      ['explain', seed, '--dir', whole],
      ['status', '--dir', whole],
    ]) {
      const command = [process.execPath, LAUNCHER, ...args].map((word) => `'${word}'`).join(' ');
      const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'latin1' });
      assert.doesNotMatch(stdout.replace(/\r\n/g, '\n'), /[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/, args.join(' '));
      assert.ok(stdout.length > 0);
    }
  });

  test('tables of a state that SQLite can open are told by their own rules', async () => {
    const folder = copyOf(whole, join(folders.path, 'leases'));
    const db = new DatabaseSync(join(folder, 'state.db'));
    db.exec('INSERT INTO lease (host, lane, ord, until) VALUES (0, 1, 999, 5)');
    db.close();
    assert.deepEqual(
      (await checkFolder(folder, quiet)).problems.map(({ code }) => code),
      ['lease-without-url'],
    );
  });
});
