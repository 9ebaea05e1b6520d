import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { CrawlReader, createCrawl } from '../../src/index.ts';
import { followCrawl } from '../../src/search/indexing/follow-crawl.ts';
import { lockIndexOf } from '../../src/search/indexing/open-index.ts';
import { CrawlFolderReader } from '../../src/web/crawl-folder-reader.ts';
import { callProgram } from '../called-program.ts';
import { quickOrLong } from '../property-runs.ts';
import { temporaryFolder } from './crawl-web.ts';

/** Words that stand on forgotten pages alone, as text, title, and anchor. */
const SECRETS = /quorblax|zaphodtitle|vexanchor|plughtext/i;
const SECRET = '<title>Zaphodtitle</title><p>The quorblax lives in a house of its own, far from here.</p>';
const PAGES: Readonly<Record<string, string>> = {
  '/': '<title>Home</title><p>Gardens, tools and seeds.</p><a href=/a>a</a> <a href=/secret/1>one</a> <a href=/secret/2>two</a> <a href=/copy>c</a>',
  '/a': '<title>Alpha</title><p>Apples and pears in the garden.</p><a href=/secret/1>one</a>',
  '/b': '<title>Beta</title><p>Bees and honey in the garden.</p>',
  '/secret/1': `${SECRET}<a href=/b>vexanchor</a><a href=/secret/none>vexanchor</a>`,
  '/secret/2': '<title>Second</title><p>Here is plughtext and nothing else to be read.</p>',
  '/copy': `${SECRET}<a href=/b>vexanchor</a><a href=/secret/none>vexanchor</a>`,
};

describe('orbweaver forget', () => {
  let asked: string[] = [];
  let origin = '';
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const page = PAGES[url];
    response.setHeader('content-type', 'text/html');
    if (page === undefined) response.writeHead(404).end();
    else response.end(page);
  });
  const folder = temporaryFolder();

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await crawl(folder.path);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });

  async function crawl(path: string, exclude: readonly string[] = []): Promise<void> {
    asked = [];
    const quick = { delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', softNotFound: false } as const;
    await using run = await createCrawl({
      ...{ folder: path, seeds: [`${origin}/`], allowPrivate: true, ...quick, exclude },
    });
    await run.run();
    await followCrawl(path, { mode: 'catch-up' });
  }

  const program = (path: string, ...args: string[]) => callProgram([...args, '--dir', path]);
  const copyOf = (): ReturnType<typeof temporaryFolder> => {
    const copy = temporaryFolder();
    cpSync(folder.path, copy.path, { recursive: true });
    return copy;
  };

  async function assertForgotten(path: string): Promise<void> {
    assert.deepEqual(filesWith(path, SECRETS), []);
    const checked = await program(path, 'check');
    assert.equal(checked.status, 0, checked.stdout);
    const { stdout: pages } = await program(path, 'pages');
    assert.doesNotMatch(pages, /secret/);
    assert.match(pages, /\/a {2}"Alpha"/);
    assert.match((await program(path, 'search', 'quorblax')).stdout, /Nothing found/);
    assert.match((await program(path, 'search', 'apples')).stdout, /Alpha/);
    for (const command of ['get', 'versions']) {
      const gone = await program(path, command, `${origin}/secret/1`);
      assert.doesNotMatch(gone.stdout, SECRETS, command);
      assert.equal(gone.status, 5, `${command}: ${gone.stdout}${gone.stderr}`);
    }
    for (const command of [['duplicates'], ['changes'], ['explain', `${origin}/copy`]])
      assert.doesNotMatch((await program(path, ...command)).stdout, /secret/, command[0]);
    assert.match((await program(path, 'get', `${origin}/a`)).stdout, /Apples/);
    const { stdout: story } = await program(path, 'explain', `${origin}/secret/2`);
    assert.match(story, /forgotten {4}on 20\d\d-/);
  }

  test('a dry run tells of URLs that only wait, and of nothing where nothing matches', async () => {
    using begun = temporaryFolder();
    const settings = { allowPrivate: true, delay: 0, workers: 0, sitemaps: 'off', maxPages: 1, index: false } as const;
    {
      await using run = await createCrawl({ folder: begun.path, seeds: [`${origin}/`], ...settings });
      await run.run();
    }
    const pattern = `${origin}/secret/*`;
    const dry = await program(begun.path, 'forget', pattern, '--dry-run');
    assert.match(
      dry.stdout,
      /^0 pages, 0 archive records \(.*\) and 2 URLs that had not been visited would be deleted/,
    );
    assert.match((await program(begun.path, 'forget', pattern, '--yes')).stdout, /2 URLs that had not been visited/);
    const again = await program(begun.path, 'forget', pattern, '--dry-run');
    assert.deepEqual([again.status, again.stdout], [5, '']);
    assert.equal((await program(begun.path, 'forget', '--dry-run')).status, 2);
  });

  test('pages leave every file of the folder, are not fetched again, and come back when they are allowed', async () => {
    using copy = copyOf();
    assert.notDeepEqual(filesWith(copy.path, SECRETS), []);
    const pattern = `${origin}/secret/*`;

    const dry = await program(copy.path, 'forget', pattern, '--dry-run');
    assert.match(dry.stdout, /secret\/1\n[\s\S]*3 pages, \d+ archive records .* Nothing was changed/);
    const unasked = await program(copy.path, 'forget', pattern);
    assert.equal(unasked.status, 2);
    assert.match(unasked.stderr, /--yes/);
    assert.deepEqual(filesWith(copy.path, SECRETS), filesWith(folder.path, SECRETS));

    // As a web server has it, that was started before.
    using reader = new CrawlReader(copy.path);
    const copies = new CrawlFolderReader(reader);
    assert.match((await copies.text(`${origin}/secret/1`)) ?? '', SECRETS);
    const done = await program(copy.path, 'forget', pattern, '--yes');
    assert.equal(done.status, 0, done.stderr);
    assert.match(done.stdout, /3 pages, \d+ archive records .* deleted\n1 other page had the same content/);
    await assertForgotten(copy.path);
    assert.equal(await copies.text(`${origin}/secret/1`), undefined);
    assert.deepEqual(await copies.versions(`${origin}/secret/1`), []);
    assert.ok([...reader.pages()].every(({ url }) => !url.includes('secret')));
    assert.match((await program(copy.path, 'forget', '--list')).stdout, /secret\/\*: 3 pages/);

    await crawl(copy.path);
    // The copy of a forgotten page is a page of its own now.
    assert.deepEqual(asked, ['/copy']);
    const { stdout: pages } = await program(copy.path, 'pages');
    assert.doesNotMatch(pages, /secret/);
    assert.match(pages, /stored +\S+\/copy/);
    assert.match((await program(copy.path, 'explain', `${origin}/secret/none`)).stdout, /forgotten on 20\d\d-/);

    assert.equal((await program(copy.path, 'forget', '--allow', 'elsewhere.test')).status, 5);
    assert.equal((await program(copy.path, 'forget', '--allow', pattern)).status, 0);
    await crawl(copy.path);
    assert.deepEqual(asked, ['/secret/none']);
  });

  test('a host, a URL, and what is not there', async () => {
    using copy = copyOf();
    const { host } = new URL(origin);
    const nothing = await program(copy.path, 'forget', `${origin}/nowhere`, 'elsewhere.test', '--yes');
    assert.equal(nothing.status, 5, nothing.stdout);
    // There is nothing to be asked about.
    assert.equal((await program(copy.path, 'forget', `${origin}/nowhere`)).status, 5);
    assert.equal((await program(copy.path, 'forget', 'no good', '--yes')).status, 2);
    const one = await program(copy.path, 'forget', `${host}/b`, '--yes', '--json');
    const [{ target, pages }] = JSON.parse(one.stdout).entries;
    assert.deepEqual([target.kind, pages], ['url', 1]);
    assert.equal((await program(copy.path, 'forget', host, '--yes')).status, 0);
    assert.deepEqual(
      readdirSync(join(copy.path, 'archive')).filter((name) => name.endsWith('.warc.gz')),
      [],
    );
    assert.deepEqual(filesWith(copy.path, /Alpha|Home|quorblax/), []);
    assert.equal((await program(copy.path, 'check')).status, 0);
    const again = await program(copy.path, 'crawl', `${origin}/`, '--allow-private');
    assert.equal(again.status, 5, again.stderr);
    assert.match(again.stderr, /NOTHING_STORED[\s\S]*\/: forgotten on 20\d\d-[\s\S]*forget --allow 127\.0\.0\.1:/);
    assert.match((await program(copy.path, 'status')).stdout, /: finished at/);
    using reader = new CrawlReader(copy.path);
    assert.deepEqual([...reader.pages()], []);
  });

  test('not while somebody else writes the index: refused before anything is deleted', async () => {
    using copy = copyOf();
    const before = filesWith(copy.path, SECRETS);
    {
      using _lock = lockIndexOf(copy.path);
      const refused = await program(copy.path, 'forget', `${origin}/secret/1`, '--yes');
      assert.equal(refused.status, 3);
      assert.match(refused.stderr, /writing the index/);
    }
    assert.deepEqual(filesWith(copy.path, SECRETS), before);
    assert.equal((await program(copy.path, 'forget')).status, 2);
  });

  test('not while a crawl has the folder', async () => {
    await using _run = await createCrawl({ folder: folder.path, allowPrivate: true });
    const refused = await program(folder.path, 'forget', `${origin}/a`, '--yes');
    assert.equal(refused.status, 3);
    assert.match(refused.stderr, /FOLDER_IN_USE.*\n.*Ctrl-C/);
  });

  test('killed at any step: no crawl starts in between, and the same command completes it', async () => {
    const script = fileURLToPath(new URL('./forget-and-die.ts', import.meta.url));
    const pattern = `${origin}/secret/*`;
    for (const step of quickOrLong([2, 5], [1, 2, 4, 5])) {
      using copy = copyOf();
      const killed = spawnSync(process.execPath, [script, copy.path, pattern, String(step)]);
      assert.equal(killed.signal, 'SIGKILL', `${step}: ${killed.stderr}`);
      if (step > 1) {
        for (const command of [['crawl', '--allow-private'], ['check'], ['check', '--repair']]) {
          const refused = await program(copy.path, ...command);
          assert.equal(refused.status, 3, command.join(' '));
          assert.match(refused.stderr, /FORGET_UNFINISHED.*\n.*orbweaver forget --dir/);
        }
        writeFileSync(join(copy.path, 'state.db.damaged'), '');
        const completed = await program(copy.path, 'forget');
        assert.equal(completed.status, 0);
        assert.match(completed.stdout, /complete\.\nEarlier repairs kept copies .*: state\.db\.damaged\./);
      } else assert.equal((await program(copy.path, 'forget', pattern, '--yes')).status, 0);
      assert.deepEqual(filesWith(copy.path, SECRETS), []);
      const checked = await program(copy.path, 'check');
      assert.equal(checked.status, 0, checked.stdout);
      if (step === 5) await assertForgotten(copy.path);
    }
  });
});

/** Files that hold a text: as it is, or in the members of a gzip file. */
function filesWith(folder: string, text: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => {
      const bytes = readFileSync(join(folder, name));
      return text.test((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1'));
    })
    .sort();
}
