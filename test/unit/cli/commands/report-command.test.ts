import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createCrawl, updateIndex } from '../../../../src/index.ts';
import { callProgram } from '../../../called-program.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

const TITLE = '=SUM("a", "b")';
const HOME = `<title>${TITLE}</title><a href=/gone>to the gone</a><a href=/moved>m</a><a href=/page>p</a>`;
const PAGE =
  '<title>A page \u001b[31m</title><meta name=description content="What it says"><a href=/gone>also gone</a>';

describe('orbweaver report', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let origin = '';
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html');
    if (url === '/') response.end(HOME);
    else if (url === '/page') response.end(PAGE);
    else if (url === '/moved') response.writeHead(301, { location: '/gone' }).end();
    else response.writeHead(404).end();
  });

  before(async () => {
    folder = temporaryFolder();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const plain = { delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', retries: 0, softNotFound: false } as const;
    await using crawl = await createCrawl({ folder: folder.path, seeds: [`${origin}/`], allowPrivate: true, ...plain });
    await crawl.run();
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });

  const report = (...args: string[]) => callProgram(['report', ...args, '--dir', folder.path]);
  const lines = async (...args: string[]): Promise<Record<string, unknown>[]> => {
    const { status, stdout, stderr } = await report(...args, '--format', 'jsonl');
    assert.equal(status, 0, stderr);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };
  const paths = async (...args: string[]): Promise<string[]> =>
    (await lines(...args)).map(({ url }) => new URL(String(url)).pathname);

  test('views, filters, sorts and columns; a crawl without links says what it needs', async () => {
    assert.deepEqual(await paths(), ['/', '/gone', '/moved', '/page']);
    assert.deepEqual(await paths('broken'), ['/gone']);
    assert.deepEqual(await paths('redirects'), ['/moved']);
    assert.deepEqual(await paths('visited', '--filter', 'status=2xx', '--filter', 'depth>=1'), ['/page']);
    assert.deepEqual(await paths('visited', '--sort', '-url', '--limit', '2'), ['/page', '/moved']);
    assert.deepEqual(await lines('chains', '--columns', 'redirects,redirectEnd,finalUrl'), [
      { redirects: 1, redirectEnd: 'broken', finalUrl: `${origin}/gone` },
    ]);
    const orphans = await report('orphans');
    assert.equal(orphans.status, 3);
    assert.match(orphans.stderr, /INDEX_MISSING.*orbweaver index/s);
  });

  test('CSV, JSON and a table for a terminal', async () => {
    const { stdout: csv } = await report('--format', 'csv', '--columns', 'url,title', '--filter', 'depth=0');
    assert.equal(csv, `url,title\r\n${origin}/,"'=SUM(""a"", ""b"")"\r\n`);
    const json = JSON.parse((await report('--format', 'json', '--limit', '1')).stdout);
    assert.equal(json.view, 'visited');
    assert.equal(json.rows[0].url, `${origin}/`);
    const table = await report('--columns', 'url,status,title', '--limit', '2');
    assert.match(table.stdout, /^URL +Status +Title\n/);
    assert.match(table.stderr, /2 of 4 URLs/);
    assert.doesNotMatch((await report('--filter', 'url~/page')).stdout, /\u001b/);
    assert.match((await report('list')).stdout, /orphans.*canonical/s);
    assert.match((await report('slow')).stderr, /No URL of the view slow matches/);
  });

  test('a row for each link, when links were gathered; what was made before is made again', async () => {
    await updateIndex(folder.path);
    const links = await lines('broken', '--per-link', '--columns', 'url,status');
    const told = links.map(({ linkedFrom, linkText, status }) => [
      new URL(String(linkedFrom)).pathname,
      linkText,
      status,
    ]);
    assert.ok(
      told.some((link) => link.join() === '/,to the gone,404'),
      JSON.stringify(told),
    );
    assert.ok(
      told.some((link) => link.join() === '/page,also gone,404'),
      JSON.stringify(told),
    );
    const [{ inLinks }] = await lines('broken', '--columns', 'inLinks');
    assert.equal(inLinks, 2);
    assert.deepEqual(await paths('orphans'), []);
    assert.deepEqual(await paths('broken', '--no-refresh'), ['/gone']);
  });

  test('mistakes are told with what there is', async () => {
    for (const [args, said] of [
      [['nothing'], /The views are: visited/],
      [['--columns', 'nothing'], /The columns are: url/],
      [['--sort', 'nothing'], /The columns are: url/],
      [['--filter', 'nothing=1'], /The columns are: url/],
      [['--filter', 'status=x'], /takes a number/],
      [['--format', 'xml'], /table, csv, jsonl, json/],
      [['--limit', '0'], /--limit/],
    ] as const) {
      const { status, stderr } = await report(...args);
      assert.equal(status, 2, args.join(' '));
      assert.match(stderr, said);
    }
    assert.equal((await callProgram(['report', '--dir', `${folder.path}/none`])).status, 3);
  });
});
