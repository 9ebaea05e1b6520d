import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { callProgram as orbweaver } from '../../called-program.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/orbweaver.cjs', import.meta.url));

/** Starts a process and closes its output after the first bytes, as head does. */
function readLittle(args: readonly string[], input: string): Promise<{ status: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LAUNCHER, ...args]);
    let stderr = '';
    child.stdout.once('data', () => child.stdout.destroy());
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    // Who ends early does not read to the end.
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stderr }));
    child.stdin.end(input);
  });
}

describe('inspect', () => {
  test('a reader that leaves early is no fault', async () => {
    const request = JSON.stringify({ url: 'https://a.test/', html: '<a href=x>y</a>'.repeat(4_000) });
    const { status, stderr } = await readLittle(['inspect', 'page', '--jsonl'], `${request}\n`.repeat(5));
    assert.equal(status, 0);
    assert.equal(stderr, '');
  });

  test('bad lines are answered in their place', async () => {
    const input = ['{"url":"http://A.test"}', 'oops', '', '[]', '{"url":5}', '{"url":"b","base":"http://a.test/c/"}'];
    const { status, stdout } = await orbweaver(['inspect', 'url', '--jsonl'], { input: `${input.join('\n')}\n` });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(status, 0);
    assert.equal(answers.length, 5);
    assert.equal(answers[0].canonical, 'http://a.test/');
    for (const bad of answers.slice(1, 4)) assert.equal(bad.error.code, 'INPUT_INVALID');
    assert.equal(answers[4].canonical, 'http://a.test/c/b');
  });

  test('text that came as a JSON string keeps its media type, not its charset', async () => {
    const { stdout } = await orbweaver(['inspect', 'page', '--jsonl'], {
      input: `${JSON.stringify({ url: 'http://a.test/', html: 'ä <a href=x>', contentType: 'text/plain; charset=latin1' })}\n${JSON.stringify({ url: 'nowhere', html: '' })}\n`,
    });
    const [plain, bad] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(plain.mediaType, 'text/plain');
    assert.equal(plain.text, 'ä <a href=x>');
    assert.equal(bad.error.code, 'INPUT_INVALID');
  });

  test('either an input or --jsonl; a folder is no page', async () => {
    for (const args of [['url'], ['url', 'http://a.test/', '--jsonl'], ['page', '.']]) {
      const { status, stderr } = await orbweaver(['inspect', ...args]);
      assert.equal(status, 2);
      assert.match(stderr, /(USAGE|INPUT_INVALID): .*\n {2}\S/);
    }
  });
});

describe('what cannot be read', () => {
  test('is told, and the exit status says so, whatever else could be read', async () => {
    using folder = temporaryFolder();
    const broken = join(folder.path, 'broken.pdf');
    const text = join(folder.path, 'a text.txt');
    writeFileSync(broken, '%PDF-1.4 no more');
    writeFileSync(text, 'Hello');
    const both = await orbweaver(['inspect', 'document', broken, text]);
    assert.equal(both.status, 2);
    assert.match(
      both.stderr,
      /^orbweaver: INPUT_INVALID: .*broken\.pdf cannot be read as a document: .* \(broken\)\.\n$/,
    );
    assert.match(both.stdout, /"text": "Hello"/, 'the other one is shown');
    const missing = await orbweaver(['inspect', 'page', join(folder.path, 'none.html')]);
    assert.deepEqual([missing.status, missing.stdout], [2, '']);
    assert.match(missing.stderr, /INPUT_INVALID: There is no file .*none\.html\./);
    const noPage = join(folder.path, 'octets.bin');
    writeFileSync(noPage, Buffer.from([0, 255, 1, 254, 0, 3]));
    const page = await orbweaver(['inspect', 'page', noPage]);
    assert.equal(page.status, 2);
    assert.match(page.stderr, /is not a page but application\/octet-stream/);
    assert.equal((await orbweaver(['inspect', 'feed', text])).status, 2);
    const fetched = await orbweaver(['inspect', 'fetch', 'http://127.0.0.1:9/']);
    assert.equal(fetched.status, 5);
    assert.match(fetched.stderr, /URL_NOT_FOUND: .*loopback.*\n.*--allow-private/);
  });
});

/** Threads take longer to start than so few pages take; one test has them all. */
const ALONE = ['--workers', '0', '--no-index'];

describe('commands on a small site', () => {
  let origin = '';
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt' && request.headers['x-broken'] !== undefined) response.writeHead(500).end();
    else if (request.url === '/robots.txt') response.writeHead(302, { location: '/rules' }).end();
    else if (request.url === '/rules') response.end('User-agent: *\nDisallow: /no\nCrawl-delay: 0.1');
    else if (request.url === '/round') response.writeHead(302, { location: '/and-round' }).end();
    else if (request.url === '/and-round') response.writeHead(302, { location: '/round' }).end();
    else if (request.url === '/astray') response.writeHead(302, { location: 'mailto:a@a.test' }).end();
    else if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      response.end('<title>Home\u001b[2J</title><a href=/no>forbidden</a>');
    } else response.writeHead(404).end();
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  test('inspect robots judges as a crawl does: through redirects, and closed where the file cannot be had', async () => {
    const moved = await orbweaver(['inspect', 'robots', `${origin}/no`, '--allow-private']);
    assert.deepEqual(JSON.parse(moved.stdout), {
      allowed: false,
      rule: 'Disallow: /no',
      line: 2,
      crawlDelay: 0.1,
      because: 'the rules of the file',
    });
    const flags = ['--allow-private', '--header', `${origin}=X-Broken: yes`];
    const broken = await orbweaver(['inspect', 'robots', `${origin}/`, ...flags]);
    assert.equal(JSON.parse(broken.stdout).allowed, false);
    assert.match(JSON.parse(broken.stdout).because, /HTTP 500/);
  });

  test('crawl --json, then get, explain and status by a URL without its scheme', async () => {
    using folder = temporaryFolder();
    const dir = ['--dir', join(folder.path, 'c')];
    const crawl = await orbweaver(['crawl', `${origin}/`, ...dir, '--allow-private', '--delay', '0', '--json']);
    assert.equal(crawl.status, 0, crawl.stderr);
    const summary = JSON.parse(crawl.stdout);
    assert.deepEqual(Object.keys(summary).slice(0, 9), [
      ...['pages', 'distinctDocuments', 'requests', 'bytes', 'refused', 'failed', 'seconds', 'cpuSeconds', 'maxRssMb'],
    ]);
    assert.deepEqual([summary.pages, summary.refused], [1, { robots: 1 }]);

    const bare = origin.replace('http://127.0.0.1', 'localhost');
    assert.equal((await orbweaver(['get', bare, ...dir])).status, 5, 'another host is another page');
    const page = await orbweaver(['get', origin.slice('http://'.length), ...dir]);
    assert.match(page.stdout, /^<title>Home/);
    const told = await orbweaver(['explain', `${origin}/`, ...dir]);
    assert.ok(!told.stdout.includes('\u001b'), 'a title cannot steer the terminal');
    assert.match(told.stdout, /title {8}Home/);
    const refused = await orbweaver(['explain', `${origin}/no`, ...dir]);
    assert.match(refused.stdout, /refused by robots: Disallow: \/no \(line 2\)/);
    const duplicates = await orbweaver(['duplicates', '--json', ...dir]);
    assert.deepEqual(JSON.parse(duplicates.stdout), { total: 0, clusters: [] });
    assert.equal((await orbweaver(['status', '--hosts', 'few', ...dir])).status, 2);
    assert.equal((await orbweaver(['explain', 'no url', ...dir])).status, 2);
  });

  test('a crawl without a page says why, what helps, and that it failed', async () => {
    using folder = temporaryFolder();
    const dir = ['--dir', join(folder.path, 'no pages'), '--delay', '0', '--quiet', ...ALONE];
    const address = await orbweaver(['crawl', `${origin}/`, ...dir]);
    assert.equal(address.status, 5);
    assert.match(address.stdout, /^Over, and nothing was stored\. 0 pages/);
    assert.match(address.stderr, /^orbweaver: NOTHING_STORED: /);
    assert.match(address.stderr, /\/: refused by address: loopback address 127\.0\.0\.1\n.*--allow-private/);
    const robots = await orbweaver(['crawl', `${origin}/no`, ...dir, '--allow-private', '--json']);
    assert.equal(robots.status, 0, 'the seed of before was tried again, and stored');
    assert.equal(JSON.parse(robots.stdout).pages, 1);
    assert.match(robots.stderr, /^1 refused or failed URL is tried again: allow-private has changed\.\n$/);

    const other = ['--dir', join(folder.path, 'closed'), '--delay', '0', '--allow-private', '--json', ...ALONE];
    const closed = await orbweaver(['crawl', `${origin}/no`, ...other]);
    assert.equal(closed.status, 5);
    assert.equal(JSON.parse(closed.stdout).pages, 0);
    assert.match(closed.stderr, /refused by robots: Disallow: \/no.*\n.*--no-robots/);
    const gone = await orbweaver(['crawl', `${origin}/absent`, 'http://no-such-name.invalid/', ...other]);
    assert.equal(gone.status, 5);
    assert.match(gone.stderr, /absent: gone \(HTTP 404\)/);
    assert.match(gone.stderr, /invalid\/: unreachable, dns-not-found/);
    assert.match(gone.stderr, /There is no such name/);
  });

  test('a crawl that redirects keep from its pages says how', async () => {
    using folder = temporaryFolder();
    const dir = ['--dir', join(folder.path, 'c'), '--delay', '0', '--allow-private', '--quiet', ...ALONE];
    const { status, stderr } = await orbweaver(['crawl', `${origin}/round`, `${origin}/astray`, ...dir]);
    assert.equal(status, 5);
    assert.match(stderr, /\/round redirects to \S*\/and-round redirects to \S*\/round\n/);
    assert.match(stderr, /redirect-invalid/);
    assert.match(stderr, /round in a circle/);
    assert.doesNotMatch(stderr, /--max-redirects/);
  });

  test('a plan without a page says why, and what helps', async () => {
    using folder = temporaryFolder();
    const dir = ['--dir', join(folder.path, 'c')];
    const { status, stderr } = await orbweaver(['plan', `${origin}/?a=1&b=2`, ...dir]);
    assert.equal(status, 5);
    assert.match(stderr, /NOTHING_TO_PLAN: .*\n.*refused by address: loopback.*\n.*--allow-private/);
    assert.match(stderr, /orbweaver explain "http\S*\/\?a=1&b=2"/);
  });

  test('a value after a switch is no seed', async () => {
    const { status, stderr } = await orbweaver(['crawl', `${origin}/`, '--text', 'false']);
    assert.equal(status, 2);
    assert.match(stderr, /USAGE: 'false' is no URL\.\n.*--no-text/);
  });

  test('what can be refused is refused before a folder is made', async () => {
    using folder = temporaryFolder();
    const dir = join(folder.path, 'c');
    for (const args of [
      [],
      [`${origin}/`, '--include', 're:('],
      [`${origin}/`, '--exclude', 're:a**'],
      [`${origin}/`, '--topic', 'the of and'],
      [`${origin}/`, '--topic', ' '],
      [`${origin}/`, '--topic-file', ''],
    ]) {
      const { status } = await orbweaver(['crawl', ...args, '--dir', dir]);
      assert.equal(status, 2);
      assert.ok(!existsSync(dir));
    }
  });

  test('several seed lists', async () => {
    using folder = temporaryFolder();
    const list = join(folder.path, 'seeds.txt');
    writeFileSync(list, `${origin}/a\n`);
    const lists = ['--seeds', list, '--seeds', '-'];
    const flags = ['--dir', join(folder.path, 'c'), '--allow-private', '--delay', '0', '--json', '--max-depth', '0'];
    const { stdout } = await orbweaver(['crawl', ...lists, ...flags, ...ALONE], { input: `${origin}/b\n` });
    assert.deepEqual(JSON.parse(stdout).failed, { 'http-404': 2 });
  });
});
