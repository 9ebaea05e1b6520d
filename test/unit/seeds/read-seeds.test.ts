import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readSeeds } from '../../../src/seeds/read-seeds.ts';

describe('readSeeds', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orbweaver-seeds-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function listWith(text: string): Promise<string> {
    const path = join(folder, 'seeds.txt');
    await writeFile(path, text);
    return path;
  }

  test('folders and files of this machine, where they may be named', async () => {
    const list = await listWith('# mine\n./\n');
    const root = pathToFileURL(await realpath(folder)).href;
    const file = pathToFileURL(await realpath(list)).href;
    const named = { args: [folder, list, `file://localhost${folder}/`], local: true };
    assert.deepEqual(await readSeeds(named), [`${root}/`, file]);
    const [here] = await readSeeds({ args: [], files: [list], local: true });
    assert.equal(here, `${pathToFileURL(await realpath('.')).href}/`);
    const wrong = [folder, './', '~', '/etc', 'file:///etc/', 'FILE:/etc', '{"url": "/etc"}'];
    for (const line of wrong)
      await assert.rejects(readSeeds({ args: [], lines: [line] }), /command line|not usable/, line);
    for (const line of [join(folder, 'none'), 'file://server/share', '/dev/null'])
      await assert.rejects(readSeeds({ args: [], lines: [line], local: true }), /cannot be crawled|no file/, line);
    // The name of a folder is that of a host as well: only who types it at a place where there is one means it.
    assert.deepEqual(await readSeeds({ args: [], lines: ['src'], local: true }), ['http://src/']);
    assert.deepEqual(await readSeeds({ args: ['nosuchfolder'], local: true }), ['http://nosuchfolder/']);
  });

  test('names of files with a number sign, and files that are named without ./', async () => {
    const root = await realpath(folder);
    const talk = join(root, 'Talk #3 notes.txt');
    await writeFile(talk, 'x');
    await writeFile(join(root, 'plain'), 'x');
    const lines = [talk, `${talk} # a comment`, `${join(root, 'plain')} #1 of all`];
    assert.deepEqual(await readSeeds({ args: [], lines, local: true }), [
      pathToFileURL(talk).href,
      pathToFileURL(join(root, 'plain')).href,
    ]);
    assert.deepEqual(await readSeeds({ args: [], lines: ['https://a.test/ #x'], local: true }), ['https://a.test/']);

    const here = pathToFileURL(await realpath('.')).href;
    const told: string[] = [];
    const args = ['src/index.ts', 'package.json', 'README.md', 'src/none.ts', 'src', './src/index.ts'];
    assert.deepEqual(await readSeeds({ args, local: true, notice: (message) => told.push(message) }), [
      `${here}/src/index.ts`,
      `${here}/package.json`,
      'https://readme.md/',
      'http://src/none.ts',
      `${here}/src/`,
    ]);
    assert.deepEqual(told, [
      'src/index.ts is taken for the file of that name. For a host, write http://src/index.ts',
      'package.json is taken for the file of that name. For a host, write http://package.json',
      'src is taken for the folder of that name. For a host, write http://src',
    ]);
  });

  test('the scheme that is assumed', async () => {
    const args = [
      'example.org/x',
      'example.org:8443/',
      'example.org:80',
      '//example.org/y',
      'localhost:8080',
      'app.localhost',
      'intranet/start',
      '127.0.0.1:3000/a',
      '[::1]:3000/',
      'HTTP://Example.ORG/z',
    ];
    assert.deepEqual(await readSeeds({ args }), [
      'https://example.org/x',
      'https://example.org:8443/',
      'http://example.org/',
      'https://example.org/y',
      'http://localhost:8080/',
      'http://app.localhost/',
      'http://intranet/start',
      'http://127.0.0.1:3000/a',
      'http://[::1]:3000/',
      'http://example.org/z',
    ]);
  });

  test('arguments, then the file, then standard input; each URL once', async () => {
    const file = await listWith(
      '\ufeff# my seeds\r\n\r\nb.test   # a comment\r\nhttps://a.test/#part\r\n{"url": "https://c.test/", "note": 1}\r\n',
    );
    const stdin = Readable.from(['https://d.test/\nhttps://b.t', 'est/\n']);
    assert.deepEqual(await readSeeds({ args: ['https://a.test'], files: [file], stdin }), [
      'https://a.test/',
      'https://b.test/',
      'https://a.test/#part',
      'https://c.test/',
      'https://d.test/',
    ]);
  });

  test('all bad seeds are told, with their lines', async () => {
    const file = await listWith(
      'https://a.test/\nftp://a.test/\n\n{"link": 1}\n{oops\nhttps://exa mple.test/\nmailto:me@a.test\nhttps://me:secret@a.test/\n',
    );
    await assert.rejects(
      readSeeds({ args: ['javascript:alert(1)'], files: [file] }),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'SEED_INVALID');
        const lines = error.message.split('\n');
        assert.equal(lines.length, 8);
        assert.equal(lines[0], '7 seeds are not usable:');
        assert.equal(lines[1], '  argument: "javascript:alert(1)": javascript is neither http nor https');
        assert.match(lines[2], /seeds\.txt, line 2: "ftp:\/\/a\.test\/": ftp is neither http nor https$/);
        assert.match(lines[3], /line 4: .*no text "url"$/);
        assert.match(lines[4], /line 5: .*not valid JSON$/);
        assert.match(lines[5], /line 6: .*white space$/);
        assert.match(lines[6], /line 7: .*mailto is neither http nor https$/);
        return true;
      },
    );
  });

  test('a long list of bad seeds is cut', async () => {
    const file = await listWith('ftp://x/\n'.repeat(50));
    await assert.rejects(readSeeds({ args: [], files: [file] }), /50 seeds are not usable[\s\S]*and 30 more$/);
  });

  test('files that cannot be read', async () => {
    await assert.rejects(readSeeds({ args: [], files: [join(folder, 'absent')] }), {
      code: 'SEED_FILE_UNREADABLE',
      message: /absent could not be read: it does not exist/,
    });
    await assert.rejects(readSeeds({ args: [], files: [folder] }), {
      code: 'SEED_FILE_UNREADABLE',
      message: /is a folder/,
    });
  });

  test('no seed at all', async () => {
    await assert.rejects(readSeeds({ args: [] }), { code: 'NO_SEEDS' });
    await assert.rejects(readSeeds({ args: [], files: [await listWith('# nothing\n')] }), { code: 'NO_SEEDS' });
    assert.deepEqual(await readSeeds({ args: [], optional: true }), []);
  });
});
