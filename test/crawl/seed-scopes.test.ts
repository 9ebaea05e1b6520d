import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callProgram } from '../called-program.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const link = (url: string): string => `<a href="${url}">${url}</a> `;

/** Three sites that link to each other. */
describe('seeds with their own scope', () => {
  let port = 0;
  const server = createServer(({ headers, url = '' }, response) => {
    const host = headers.host ?? '';
    if (url === '/moved/') return response.writeHead(301, { location: `http://c.test:${port}/docs/` }).end();
    if (url === '/robots.txt') return response.writeHead(404).end();
    const links = [
      ...['/', '/docs/', '/docs/1', '/docs/2', '/blog/'].map(link),
      // A chain as long as one likes.
      link(`/deep/${Number(/^\/deep\/(\d+)/.exec(url)?.[1] ?? 0) + 1}`),
      ...['a', 'b', 'c'].map((name) => link(`http://${name}.test:${port}/`)),
    ];
    const isEnd = /^\/deep\/9/.test(url);
    return response
      .setHeader('content-type', 'text/html')
      .end(`<title>${host}${url}</title><p>The page ${url} of ${host}.</p>${isEnd ? '' : links.join('')}`);
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const crawl = (folder: string, ...args: string[]) => {
    const hosts = ['a', 'b', 'c'].flatMap((name) => ['--hosts', `${name}.test=127.0.0.1`]);
    const quick = [
      '--delay',
      '0',
      '--sitemaps',
      'off',
      '--no-index',
      '--workers',
      '0',
      '--quiet',
      '--allow-private',
      '--no-trap-learning',
    ];
    return callProgram(['crawl', ...args, '--dir', folder, ...hosts, ...quick]);
  };
  const stored = (folder: string): string[] =>
    storedPages(folder).map((url) => url.replace(/^http:\/\/(\w)\.test:\d+/, '$1'));

  test('each by its own rule, the others by the arguments; explain tells which', async () => {
    using folder = temporaryFolder();
    const list = join(folder.path, 'urls.txt');
    writeFileSync(
      list,
      `http://a.test:${port}/docs/ scope=directory   # the handbook
{"url": "http://b.test:${port}/", "scope": "host", "depth": 1}
http://c.test:${port}/blog/
`,
    );
    const args = ['--seeds', list, '--scope', 'host', '--max-depth', '0'];
    const first = await crawl(folder.path, ...args);
    assert.equal(first.status, 0, first.stderr);
    // The depth of the settings holds for c alone. a has none of its own either.
    assert.deepEqual(stored(folder.path), [
      ...['a/docs/'],
      ...['b/', 'b/blog/', 'b/deep/1', 'b/docs/', 'b/docs/1', 'b/docs/2'],
      ...['c/blog/'],
    ]);
    await crawl(folder.path, ...args.slice(0, -1), '1');
    assert.deepEqual(
      stored(folder.path).filter((url) => !url.startsWith('b')),
      ['a/docs/', 'a/docs/1', 'a/docs/2', 'c/', 'c/blog/', 'c/deep/1', 'c/docs/', 'c/docs/1', 'c/docs/2'],
    );

    const explain = async (url: string): Promise<string> =>
      (await callProgram(['explain', url, '--dir', folder.path])).stdout;
    assert.match(
      await explain(`http://b.test:${port}/docs/1`),
      /scope {8}that of the seed http:\/\/b\.test:\d+\/ \(host, depth 1\)/,
    );
    assert.match(
      await explain(`http://a.test:${port}/docs/1`),
      /that of the seed \S+a\.test:\d+\/docs\/ \(directory, depth 1\)/,
    );
    const outside = await explain(`http://a.test:${port}/blog/`);
    assert.match(outside, /scope {8}that of no seed/);
    assert.match(outside, /refused by scope: no seed admits it: scope directory: not below \/docs\//);
    assert.match(await explain(`http://b.test:${port}/deep/2`), /refused by depth: no seed admits it/);
  });

  test('a seed that redirects takes its own scope along', async () => {
    using folder = temporaryFolder();
    const seed = `http://a.test:${port}/moved/ scope=directory depth=1`;
    const { status, stderr } = await crawl(folder.path, '--seed', seed, `http://b.test:${port}/`, '--max-depth', '0');
    assert.equal(status, 0, stderr);
    assert.deepEqual(stored(folder.path), ['b/', 'c/docs/', 'c/docs/1', 'c/docs/2']);
  });

  test('in the settings file; the next run without a word keeps it, and a seed named without a scope gives it up', async () => {
    using folder = temporaryFolder();
    writeFileSync(
      join(folder.path, 'orbweaver.yaml'),
      `seed:\n  - http://a.test:${port}/docs/ scope=directory depth=0\n`,
    );
    await crawl(folder.path, '--max-depth', '1');
    assert.deepEqual(stored(folder.path), ['a/docs/']);
    writeFileSync(join(folder.path, 'orbweaver.yaml'), '');
    await crawl(folder.path, '--max-depth', '1');
    assert.deepEqual(stored(folder.path), ['a/docs/']);
    await crawl(folder.path, `http://a.test:${port}/docs/`, '--max-depth', '1', '--scope', 'directory');
    assert.deepEqual(stored(folder.path), ['a/docs/', 'a/docs/1', 'a/docs/2']);
  });

  test('mistakes are told with their lines', async () => {
    using folder = temporaryFolder();
    const list = join(folder.path, 'urls.txt');
    const lines = ['scope=planet', 'depth=-1', 'depth=1 depth=2', 'scope', 'colour=red'];
    writeFileSync(list, lines.map((said) => `http://a.test/ ${said}\n`).join(''));
    const { status, stderr } = await crawl(folder.path, '--seeds', list);
    assert.equal(status, 2);
    assert.match(stderr, /5 seeds are not usable[\s\S]*line 1: .*takes one of any, domain[\s\S]*line 5: .*colour=red/);
  });
});
