import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openState } from '../../../../src/engines/sqlite/state-database.ts';
import { CrawlReader, createCrawl } from '../../../../src/index.ts';
import { callProgram } from '../../../called-program.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

const TITLE = '=SUM("a", "b")';
const HOME = `<title>${TITLE}</title><a href=/gone>g</a><a href=/moved>m</a><a href=/broken>b</a><a href=/copy>c</a>`;

describe('orbweaver pages', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let origin = '';
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html');
    if (url === '/' || url === '/copy') response.end(HOME);
    else if (url === '/moved') response.writeHead(301, { location: '/gone' }).end();
    else if (url === '/broken') response.writeHead(500).end();
    else response.writeHead(404).end();
  });

  before(async () => {
    folder = temporaryFolder();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });

  const pages = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await callProgram(['pages', '--dir', folder.path, ...args]);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const paths = async (...args: string[]): Promise<string[]> =>
    (await pages('--json', ...args))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => new URL(JSON.parse(line).url).pathname)
      .sort();

  test('text, JSON lines and CSV, with filters, also while the crawl has its folder open', async () => {
    const plain = { delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', retries: 0, softNotFound: false } as const;
    await using crawl = await createCrawl({ folder: folder.path, seeds: [`${origin}/`], allowPrivate: true, ...plain });
    await crawl.run();
    assert.deepEqual(await paths(), ['/', '/broken', '/copy', '/gone', '/moved']);
    assert.deepEqual(await paths('--status', '404'), ['/gone']);
    assert.deepEqual(await paths('--status', '5xx'), ['/broken']);
    assert.deepEqual(await paths('--outcome', 'stored,redirected'), ['/', '/moved']);
    assert.deepEqual(await paths('--host', new URL(origin).host.toUpperCase(), '--status', '200'), ['/', '/copy']);
    assert.deepEqual(await paths('--host', 'elsewhere.test'), []);
    assert.equal((await paths('--limit', '2')).length, 2);

    const [copy] = (await pages('--json', '--outcome', 'duplicate'))
      .split('\n')
      .map((line) => line && JSON.parse(line));
    assert.deepEqual([copy.outcome, copy.detail, copy.status, copy.depth], ['duplicate', `${origin}/`, 200, 1]);
    assert.match(copy.visitedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.match(await pages('--outcome', 'failed'), /^500 {2}failed {6}http:\S+\/broken {2}\(http-500\)\n$/);
    const csv = (await pages('--csv', '--outcome', 'stored')).split('\n');
    assert.match(csv[0], /^url,host,outcome,detail,status,mediaType,bytes,depth,visitedAt,nextVisit,title$/);
    assert.ok(csv[1].startsWith(`${origin}/,${new URL(origin).host},stored,,200,text/html,`), csv[1]);
    // Quoted as RFC 4180 says, and no formula for a spreadsheet.
    assert.ok(csv[1].endsWith(`,"'=SUM(""a"", ""b"")"`), csv[1]);
  });

  test('more pages than one slice holds: each once', () => {
    using many = temporaryFolder();
    const db = openState(many.path);
    const count = 2500;
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
      INSERT INTO page (fp, url, host, depth, how, found_at, kind, outcome, tries, visited_at, history)
      SELECT (i - 1250) * 7000000000000000, 'http://a.test/' || i, 1, 0, 'link', 0, 'stored', '{"kind":"stored"}', 0, 0, '' FROM n`);
    db.close();
    using reader = new CrawlReader(many.path);
    const urls = [...reader.pages()].map(({ url }) => url);
    assert.deepEqual([urls.length, new Set(urls).size], [count, count]);
    assert.equal([...reader.pages({ limit: 1500 })].length, 1500);
  });

  test('what cannot be asked is refused', async () => {
    for (const args of [
      ['--status', 'ok'],
      ['--outcome', 'lost'],
      ['--json', '--csv'],
      ['--host', ' '],
      ['--limit', '0'],
    ]) {
      const { status, stderr } = await callProgram(['pages', '--dir', folder.path, ...args]);
      assert.equal(status, 2, args.join(' '));
      assert.match(stderr, /^orbweaver: USAGE: .*\n {2}\S/);
    }
  });
});
