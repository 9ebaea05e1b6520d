import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { callProgram as orbweaver } from '../called-program.ts';
import { crawlWeb, storedPages, temporaryFolder } from '../crawl/crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));

describe('every mistake is told with a stable code and a remedy', () => {
  test('an unknown flag names the nearest one', async () => {
    const { status, stderr } = await orbweaver(['crawl', 'https://a.test/', '--max-pags', '3']);
    assert.equal(status, 2);
    assert.match(stderr, /SETTING_UNKNOWN.*--max-pages/s);
  });

  test('an unknown environment variable and an unknown key in the settings file', async () => {
    using folder = temporaryFolder();
    const env = await orbweaver(['crawl', 'https://a.test/', '--dir', folder.path], {
      env: { ORBWEAVER_MAXPAGES: '3' },
    });
    assert.equal(env.status, 2);
    assert.match(env.stderr, /SETTING_UNKNOWN.*ORBWEAVER_MAX_PAGES/s);
    writeFileSync(join(folder.path, 'orbweaver.yaml'), 'delai: 2s\n');
    const file = await orbweaver(['crawl', 'https://a.test/', '--dir', folder.path]);
    assert.equal(file.status, 2);
    assert.match(file.stderr, /SETTING_UNKNOWN.*delay/s);
    assert.ok(!existsSync(join(folder.path, 'state.db')), 'nothing was begun');
  });

  test('a value out of range says what is accepted', async () => {
    const { status, stderr } = await orbweaver(['crawl', 'https://a.test/', '--delay', 'soon']);
    assert.equal(status, 2);
    assert.match(stderr, /SETTING_INVALID.*delay/s);
  });

  test('a seed list that is not there, and seeds that are no URLs', async () => {
    using folder = temporaryFolder();
    const missing = await orbweaver([
      'crawl',
      '--seeds',
      join(folder.path, 'none.txt'),
      '--dir',
      join(folder.path, 'c'),
    ]);
    assert.equal(missing.status, 2);
    assert.match(missing.stderr, /SEED_FILE_UNREADABLE/);
    const bad = await orbweaver(['crawl', '--seeds', '-', '--dir', join(folder.path, 'c')], {
      input: 'https://ok.test/\nftp://x/\n',
    });
    assert.equal(bad.status, 2);
    assert.match(bad.stderr, /SEED_INVALID.*line 2/s);
    const none = await orbweaver(['crawl', '--dir', join(folder.path, 'c')]);
    assert.equal(none.status, 2);
    assert.match(none.stderr, /NO_SEEDS/);
  });

  test('a folder that cannot be one', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'file'), 'x');
    const { status, stderr } = await orbweaver(['crawl', 'https://a.test/', '--dir', join(folder.path, 'file', 'c')]);
    assert.equal(status, 3);
    assert.match(stderr, /FOLDER_UNWRITABLE/);
  });

  test('a folder without a crawl, for the commands that read one', async () => {
    using folder = temporaryFolder();
    for (const args of [['status'], ['explain', 'https://a.test/'], ['get', 'https://a.test/']]) {
      const { status, stderr } = await orbweaver([...args, '--dir', folder.path]);
      assert.equal(status, 3);
      assert.match(stderr, /FOLDER_NOT_A_CRAWL/);
    }
  });

  test('a folder written by a newer version is left as it is', async () => {
    using folder = temporaryFolder();
    await using web = await startSyntheticWeb({ hosts: 1, pagesPerHost: 2 });
    await crawlWeb(web, folder.path);
    const db = new DatabaseSync(join(folder.path, 'state.db'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    const { status, stderr } = await orbweaver(['crawl', 'https://a.test/', '--dir', folder.path]);
    assert.equal(status, 3);
    assert.match(stderr, /FOLDER_NEWER_VERSION/);
    assert.ok(storedPages(folder.path).length > 0);
  });

  test('a state file that is something else', async () => {
    using folder = temporaryFolder();
    writeFileSync(
      join(folder.path, 'state.db'),
      'this is not a database, but it is long enough to look like one'.repeat(40),
    );
    const { status, stderr } = await orbweaver(['crawl', 'https://a.test/', '--dir', folder.path]);
    assert.equal(status, 3);
    assert.match(stderr, /FOLDER_CORRUPT/);
  });

  test('a folder that another process crawls into', async () => {
    using folder = temporaryFolder();
    await using web = await startSyntheticWeb({ hosts: 1, pagesPerHost: 2 });
    const { createCrawl } = await import('../../src/index.ts');
    await using crawl = await createCrawl({ folder: folder.path, seeds: web.origins, allowPrivate: true });
    const { status, stderr } = await orbweaver(['crawl', 'https://a.test/', '--dir', folder.path]);
    assert.equal(status, 3);
    assert.match(stderr, /FOLDER_IN_USE/);
    assert.equal(await crawl.hasWork(), true);
  });

  test('other URL settings than those a crawl began with', async () => {
    using folder = temporaryFolder();
    await using web = await startSyntheticWeb({ hosts: 1, pagesPerHost: 2 });
    await crawlWeb(web, folder.path);
    const { status, stderr } = await orbweaver(['crawl', 'https://a.test/', '--dir', folder.path, '--no-sort-query']);
    assert.equal(status, 2);
    assert.match(stderr, /SETTING_INVALID.*sortQuery/s);
    const upgraded = await orbweaver(['crawl', 'https://a.test/', '--dir', folder.path, '--plain-http', 'https']);
    assert.match(upgraded.stderr, /SETTING_INVALID.*plainHttp was keep, is https/s);
    using other = temporaryFolder();
    await crawlWeb(web, other.path, { plainHttp: 'https', maxPages: 1 });
    const plain = await orbweaver(['crawl', 'https://a.test/', '--dir', other.path]);
    assert.match(plain.stderr, /SETTING_INVALID.*plainHttp was https, is keep/s);
  });

  test('a file that is no text, or not there, where a text is asked for', async () => {
    await using web = await startSyntheticWeb({ hosts: 1, pagesPerHost: 2 });
    using folder = temporaryFolder();
    await crawlWeb(web, folder.path, { maxPages: 1 });
    const file = join(folder.path, 'picture');
    for (const bytes of [Buffer.from('%PDF-1.7\n\0\x01'), Buffer.from('caf\xe9 au lait', 'latin1')]) {
      writeFileSync(file, bytes);
      const { status, stderr } = await orbweaver(['duplicates', '--text', file, '--dir', folder.path]);
      assert.equal(status, 2);
      assert.match(stderr, /INPUT_INVALID.*no text in UTF-8.*plain text/s);
    }
    const missing = await orbweaver(['duplicates', '--text', join(folder.path, 'none'), '--dir', folder.path]);
    assert.match(missing.stderr, /INPUT_INVALID.*no file that can be read/s);
    writeFileSync(file, '\u00e9t\u00e9 '.repeat(2_000_000));
    const long = await orbweaver(['duplicates', '--text', file, '--dir', folder.path]);
    assert.equal(long.status, 0, long.stderr);
  });

  test('standard input for both lists of coverage, and a host that is none', async () => {
    const twice = await orbweaver(['coverage', '--urls', '-', '--with', '-']);
    assert.equal(twice.status, 2);
    assert.match(twice.stderr, /USAGE.*once only/s);
    using folder = temporaryFolder();
    const list = join(folder.path, 'list');
    writeFileSync(list, 'https://a.test/1\nhttps://b.test/2\n');
    const both = ['coverage', '--urls', list, '--with', list, '--json', '--host'];
    assert.equal(JSON.parse((await orbweaver([...both, 'A.test'])).stdout).both, 1);
    assert.match((await orbweaver([...both, 'a b'])).stderr, /USAGE.*--host/s);
  });

  test('an archive that has lost settled pages', async () => {
    using folder = temporaryFolder();
    await using web = await startSyntheticWeb({ hosts: 1, pagesPerHost: 5 });
    await crawlWeb(web, folder.path);
    const archive = join(folder.path, 'archive');
    const [file] = readdirSync(archive).filter((name) => name.endsWith('.warc.gz'));
    writeFileSync(join(archive, file), '');
    const { status, stderr } = await orbweaver(['crawl', 'https://a.test/', '--dir', folder.path]);
    assert.equal(status, 3);
    assert.match(stderr, /FOLDER_CORRUPT.*settled bytes/s);
  });
});

describe('a disk that fills up in mid-crawl', () => {
  // A file system of a few megabytes, in a mount namespace of its own where that is allowed.
  const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
  const skip = canMount ? false : 'needs unshare(1) and the right to mount a small file system';

  test('is told with DISK_FULL; nothing settled is lost; the crawl goes on when there is room', { skip }, async () => {
    await using web = await startSyntheticWeb({
      hosts: 3,
      pagesPerHost: 20,
      seed: 21,
      retryAfterSeconds: 0,
      crawlDelaySeconds: 0,
      robots: { broken: 0 },
    });
    using folder = temporaryFolder();
    const small = join(folder.path, 'small');
    const kept = join(folder.path, 'kept');
    mkdirSync(small);
    const hosts = Object.entries(web.hostsMap()).map(([name, address]) => `${name}=${address}`);
    const crawl = [
      process.execPath,
      LAUNCHER,
      'crawl',
      ...web.origins,
      '--dir',
      `${small}/c`,
      '--scope',
      'any',
      '--allow-private',
    ].concat([
      '--quiet',
      '--workers',
      '1',
      '--delay',
      '10ms',
      '--delay-factor',
      '0',
      '--backoff-start',
      '50ms',
      '--hosts',
      hosts.join(','),
    ]);
    const script = `mount -t tmpfs -o size=1000k none ${small} && { ${crawl.map((word) => `'${word}'`).join(' ')}; code=$?; cp -r ${small}/c ${kept}; exit $code; }`;
    const ended = await new Promise<{ status: number | null; stderr: string }>((resolve) => {
      const child = spawn('unshare', ['-rm', 'sh', '-c', script]);
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.on('close', (status) => resolve({ status, stderr }));
    });
    assert.equal(ended.status, 4, ended.stderr);
    assert.match(ended.stderr, /DISK_FULL/);
    const before = storedPages(kept);
    assert.ok(before.length > 0, 'some pages were stored');
    await crawlWeb(web, kept);
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    assert.deepEqual(storedPages(kept), expected.urls('stored').sort());
  });
});
