import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { isOwnHost } from '../../../src/web/http/host-check.ts';
import { startWebApp } from '../../../src/web/http/listen.ts';
import { SECURITY_HEADERS } from '../../../src/web/http/reply.ts';
import { WebApp } from '../../../src/web/web-app.ts';
import { type Served, serve } from './serving.ts';
import { SmallReader } from './small-reader.ts';
import { SmallSearch } from './small-search.ts';

const PATHS = [
  '/',
  '/search?q=spider',
  '/search?q=',
  '/help',
  '/api/search?q=spider',
  '/api/complete?q=s',
  '/suggest?q=s',
  '/search.rss?q=spider',
  '/opensearch.xml',
  '/style.css',
  '/page.js',
  '/healthz',
  '/nowhere',
  '/cached',
  '/cached?url=https://hostile.example/',
  '/cached?url=https://spiders.example/notes.txt',
  '/cached?url=https://hostile.example/&as=file',
  '/versions?url=https://spiders.example/garden/',
  '/diff?url=https://spiders.example/garden/',
  '/go?url=https://hostile.example/',
];

describe('The web app', () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served[Symbol.asyncDispose]());

  test('every answer carries the headers that keep it in its place', async () => {
    for (const path of PATHS) {
      const { headers } = await served.get(path);
      for (const name of Object.keys(SECURITY_HEADERS)) assert.ok(headers[name], `${name} of ${path}`);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/, path);
      assert.match(policy, /frame-ancestors 'none'/, path);
      assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline/, path);
      if (!path.startsWith('/cached')) assert.doesNotMatch(policy, /unsafe-inline/, path);
    }
  });

  test('our pages have nothing inline that the policy would stop', async () => {
    for (const path of PATHS.filter((path) => !path.includes('hostile'))) {
      const { text, headers } = await served.get(path);
      if (!String(headers['content-type']).startsWith('text/html')) continue;
      assert.doesNotMatch(text, /<style|<script(?! src="\/page\.js" defer><\/script>)|\sstyle="|\son[a-z]+="/, path);
    }
  });

  test('static files have an ETag and are not sent twice', async () => {
    for (const [path, type] of [
      ['/style.css', 'text/css; charset=utf-8'],
      ['/page.js', 'text/javascript; charset=utf-8'],
    ]) {
      const first = await served.get(path);
      assert.equal(first.headers['content-type'], type);
      const again = await served.get(path, { 'if-none-match': `W/"other", ${first.headers.etag}` });
      assert.equal(again.status, 304);
      assert.equal(again.text, '');
      assert.equal((await served.get(path, { 'if-none-match': '"other"' })).status, 200);
    }
  });

  test('only reading is allowed, HEAD included', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await served.get('/search?q=a', {}, method);
      assert.equal(status, 405);
      assert.equal(headers.allow, 'GET, HEAD');
    }
    const head = await served.get('/search?q=spider', {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    assert.ok(Number(head.headers['content-length']) > 1_000);
  });

  test('no path leads out of the few files that are served', async () => {
    for (const path of [
      '/../package.json',
      '/assets/page.js',
      '/..%2f..%2fetc/passwd',
      '//etc/passwd',
      '/style.css/..%5c..',
      '/%00',
      '/style.css%00',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/__proto__',
      '/constructor',
    ]) {
      assert.equal((await served.get(path)).status, 404, path);
    }
    assert.equal((await served.get('http://127.0.0.1/')).status, 400, 'an absolute target is for proxies');
    assert.equal((await served.get('*', {}, 'OPTIONS')).status, 400);
  });

  test('a request for another name is refused', async () => {
    assert.equal((await served.get('/', { host: 'evil.example' })).status, 421);
    assert.equal((await served.get('/', { host: 'evil.example:8787' })).status, 421);
    assert.equal((await served.get('/', { host: '127.0.0.1.evil.example' })).status, 421);
    assert.equal((await served.get('/', { host: 'localhost:1234' })).status, 200);
    const own = new Set(['search.intra']);
    assert.equal(isOwnHost('Search.Intra:8787', own), true);
    assert.equal(isOwnHost('[::1]:8787', own), true);
    for (const host of [
      undefined,
      '',
      'other.intra',
      'localhost.evil',
      'localhost:80:80',
      'a@localhost',
      'localhost/x',
      '[::1',
      'localhost ',
    ]) {
      assert.equal(isOwnHost(host, own), false, host);
    }
  });

  test('what is no request is answered and ended; huge headers too', async () => {
    const answer = await raw(served.listening.port, 'nonsense\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /nosniff/);
    assert.match(
      await raw(served.listening.port, `GET /search?q=${'a'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      /^HTTP\/1\.1 431 /,
    );
  });

  test('loopback by default; closing ends what is open', async () => {
    const app = new WebApp({ search: new SmallSearch([]), reader: new SmallReader([]), title: 'Empty' });
    const listening = await startWebApp(app, { graceMs: 20 });
    assert.match(listening.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const idle = connect(listening.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const text = await (await fetch(listening.url)).text();
    assert.match(text, /No page can be found yet/);
    await listening.close();
    await listening.close();
    idle.destroy();
    await assert.rejects(fetch(listening.url));
  });
});

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    // The rest of what we send may find the door closed.
    socket.on('error', () => (answer === '' ? reject(new Error('no answer')) : resolve(answer)));
  });
}

test('of a crawl in a database, what reads a folder says that it is not shown, and what helps', async () => {
  await using served = await serve({ isInDatabase: true });
  const folderPaths = [
    '/dashboard',
    '/dashboard/events',
    '/report',
    '/report.csv',
    '/hosts',
    '/host?name=a',
    '/page',
    '/graph',
    '/control',
  ];
  for (const path of folderPaths) {
    const { status, text } = await served.get(path);
    assert.equal(status, 404, path);
    assert.match(text, /kept in a database.*orbweaver cluster/s, path);
  }
  for (const path of ['/dashboard.json', '/report.json', '/api/v1/status']) {
    const { status, text } = await served.get(path);
    assert.equal(status, 404, path);
    assert.match((JSON.parse(text) as { error: string }).error, /kept in a database/, path);
  }
  assert.equal((await served.get('/search?q=spider')).status, 200);
});
