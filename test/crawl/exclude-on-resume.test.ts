import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { callProgram } from '../called-program.ts';
import { temporaryFolder } from './crawl-web.ts';

const PAGES: Readonly<Record<string, string>> = {
  '/': '<title>Home</title><p>Gardens and tools.</p><a href=/old/1>one</a> <a href=/new>new</a>',
  '/old/1': '<title>Old</title><p>The quorblax of old.</p><a href=/linked>words of an excluded page</a>',
  '/new': '<title>New</title><p>The quorblax of today.</p>',
  '/linked': '<title>Linked</title><p>Bees.</p>',
};

describe('exclude, given when a crawl goes on', () => {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html');
    if (PAGES[url] === undefined) response.writeHead(404).end();
    else response.end(PAGES[url]);
  });
  const folder = temporaryFolder();
  let origin = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });

  const program = async (...args: string[]): Promise<string> => {
    const { stdout, stderr, status } = await callProgram([...args, '--dir', folder.path]);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const crawl = (...args: string[]) =>
    program(
      'crawl',
      `${origin}/`,
      '--allow-private',
      '--delay',
      '0',
      '--sitemaps',
      'off',
      '--workers',
      '0',
      '--quiet',
      ...args,
    );
  const found = async (query: string): Promise<string[]> =>
    (JSON.parse(await program('search', query, '--json')).hits as { id: string }[])
      .map(({ id }) => new URL(id).pathname)
      .sort();

  test('pages leave the search, not the archive, and return when it is taken back', async () => {
    await crawl();
    assert.deepEqual(await found('quorblax'), ['/new', '/old/1']);
    await crawl('--exclude', '/old/');
    assert.deepEqual(await found('quorblax'), ['/new']);
    assert.match(await program('get', `${origin}/old/1`), /quorblax/);
    // What an excluded page says of another counts still.
    assert.deepEqual(await found('excluded'), ['/linked']);
    await program('index', '--rebuild');
    assert.deepEqual(await found('quorblax'), ['/new']);
    await crawl('--exclude', '/new');
    assert.deepEqual(await found('quorblax'), ['/old/1']);
    await crawl();
    assert.deepEqual(await found('quorblax'), ['/new', '/old/1']);
  });
});
