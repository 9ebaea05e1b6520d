import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callProgram } from '../called-program.ts';
import { temporaryFolder } from './crawl-web.ts';

const ROBOTS = `User-agent: Example-News
Disallow: /news/draft

User-agent: Example
Disallow: /old

User-agent: *
Disallow: /`;
const PAGES: Readonly<Record<string, string>> = {
  '/news/':
    '<title>News</title><p>What is new.</p><a href=/news/1>one</a> <a href=/news/draft>draft</a> <a href=/old>old</a> <a href=/about>a</a>',
  '/news/1': '<title>One</title><p>The first of all news.</p>',
  '/news/draft': '<title>Draft</title><p>Not yet for the news.</p>',
  '/about': '<title>About</title><p>Who we are.</p><a href=/old>old</a>',
  '/old': '<title>Old</title><p>How it was.</p>',
};
const SETTINGS = `
allow-private: true
delay: 0
delay-factor: 0
workers: 0
sitemaps: off
soft-not-found: false
robots-agent: Example
profiles:
  news:
    user-agent: Example-News/1.0
    robots-agent: Example-News
    robots-fallback: Example
    scope: directory
  whole:
    user-agent: Example/1.0
    scope: host
  video:
    robots-agent: Example-Video
    robots-fallback: Example
    scope: host
`;

describe('several kinds of crawler over one collection', () => {
  let asked: { readonly url: string; readonly agent: string }[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    if (url === '/robots.txt') return response.end(ROBOTS);
    asked.push({ url, agent: headers['user-agent'] ?? '' });
    response.setHeader('content-type', 'text/html');
    if (PAGES[url] === undefined) return response.writeHead(404).end();
    return response.end(PAGES[url]);
  });
  const folder = temporaryFolder();
  let origin = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(folder.path, 'orbweaver.yaml'), SETTINGS);
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
  const crawl = async (profile: string): Promise<string[]> => {
    asked = [];
    await program('crawl', `${origin}/news/`, '--quiet', '--profile', profile);
    return asked.map(({ url, agent }) => `${url} ${agent.split(' ')[0]}`).sort();
  };

  test('each has its own name, scope and rules; the next goes on with what the others left', async () => {
    assert.deepEqual(await crawl('news'), ['/news/ Example-News/1.0', '/news/1 Example-News/1.0']);
    const draft = await program('explain', `${origin}/news/draft`);
    assert.match(draft, /forbids it: Disallow: \/news\/draft \(line 2\), as said to Example-News/);
    assert.match(await program('explain', `${origin}/news/1`), /profile {6}news/);

    // What the news crawler may not have, and what is beyond its folder; nothing twice.
    assert.deepEqual(await crawl('whole'), ['/about Example/1.0', '/news/draft Example/1.0']);
    assert.match(await program('explain', `${origin}/about`), /profile {6}whole/);
    assert.match(await program('explain', `${origin}/news/1`), /profile {6}news/);
    assert.match(await program('explain', `${origin}/old`), /forbids it: Disallow: \/old/);

    // No group names it: that of its second name counts, not that of everybody.
    assert.deepEqual(await crawl('video'), []);
    assert.match(await program('explain', `${origin}/old`), /\/old \(line 5\), as said to Example\n/);

    // Each request is judged by the name that it was sent under, not by that of the last run.
    assert.deepEqual(await crawl('news'), []);
    assert.match(await program('audit'), / 0 {2}requests that robots\.txt disallows/);

    const hits = JSON.parse(await program('search', 'news', '--json')).hits as { id: string }[];
    assert.deepEqual(hits.map(({ id }) => new URL(id).pathname).sort(), ['/news/', '/news/1', '/news/draft']);
  });

  test('a profile that is not there is refused, and those that are there are named', async () => {
    const { status, stderr } = await callProgram(['crawl', origin, '--profile', 'nws', '--dir', folder.path]);
    assert.notEqual(status, 0);
    assert.match(stderr, /SETTING_INVALID.*no profile "nws": the profiles of the settings file are news, whole, video/);
  });
});
