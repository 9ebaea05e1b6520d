import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { type CreateCrawlSettings, createCrawl, openSearch, updateIndex } from '../../src/index.ts';
import { selfSignedCertificate } from '../../src/simulate/server/self-signed-certificate.ts';
import { callProgram } from '../called-program.ts';
import { storedPages, temporaryFolder } from '../crawl/crawl-web.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const example = (name: string): string => join(EXAMPLES, name);

const html = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang=en><head><title>${title}</title>${head}</head><body><h1>${title}</h1>${body}</body></html>`;
const prose = (topic: string): string =>
  `<p>${`This paragraph speaks of ${topic} at some length, as pages do that mean to be read. `.repeat(4)}</p>`;

const SITE: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/': [
    'text/html',
    html(
      'Home',
      `${prose('home')}<a href=/en/a>a</a> <a href=/de/b>b</a> <a href=/en/c>The guide</a> <a href=/film.srt>film</a>`,
    ),
  ],
  '/en/a': [
    'text/html',
    html(
      'Apples',
      `${prose('apples')}<p>An apple costs € 1.20, a crate $ 14.</p>`,
      '<meta property="article:published_time" content="2001-01-01T00:00:00Z">',
    ),
  ],
  '/de/b': ['text/html', html('Birnen', prose('Birnen'))],
  '/en/c': [
    'text/html',
    html(
      'Apples again',
      prose('apples'),
      `<meta property="article:published_time" content="${new Date().toISOString()}">`,
    ),
  ],
  '/film.srt': [
    'application/x-subrip',
    '1\n00:00:01,000 --> 00:00:02,000\n<i>A marvellous cartwheel</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nsaid the spider.\n',
  ],
};

const server = createServer(({ url = '' }, response) => {
  const [type, body] = SITE[url] ?? [];
  response.writeHead(type === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(body);
});
let origin = '';

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

async function crawl(folder: string, plugin: string, settings: Partial<CreateCrawlSettings> = {}): Promise<string[]> {
  const asked: string[] = [];
  const plain = { delay: 0, workers: 0, sitemaps: 'off', allowPrivate: true } as const;
  await using run = await createCrawl({
    ...{ folder, seeds: [`${origin}/`], plugins: [example(plugin)], ...plain, ...settings },
  });
  run.on('settled', ({ claim }) => asked.push(new URL(claim.task.url).pathname));
  await run.run();
  return asked;
}

test('gemini.ts: a capsule is crawled, its redirects and links followed, its texts found', async () => {
  using folder = temporaryFolder();
  const { key, cert } = selfSignedCertificate(['capsule.test']);
  const pages: Readonly<Record<string, string>> = {
    '/': '20 text/gemini\r\n# A capsule\n=> news.gmi The news\n=> /old Old news\nWelcome to the orbit.',
    '/news.gmi': '20 text/gemini; charset=utf-8\r\n# News\nThe airlock was painted turquoise.',
    '/old': '31 /news.gmi\r\n',
  };
  const capsule = createTlsServer({ key, cert }, (socket) => {
    socket.once('data', (line) => socket.end(pages[new URL(line.toString().trim()).pathname] ?? '51 not found\r\n'));
  }).listen(0, '127.0.0.1');
  await once(capsule, 'listening');
  const { port } = capsule.address() as AddressInfo;
  const seeds = [`gemini://capsule.test:${port}/`];
  await crawl(folder.path, 'gemini.ts', { seeds, hosts: { 'capsule.test': '127.0.0.1' } });
  capsule.close();
  assert.deepEqual(storedPages(folder.path), [`${seeds[0]}`, `${seeds[0]}news.gmi`]);
  await updateIndex(folder.path);
  await using search = await openSearch({ folder: folder.path });
  const { hits } = await search.search({ query: 'airlock turquoise' });
  assert.deepEqual(
    hits.map(({ url }) => url),
    [`${seeds[0]}news.gmi`],
  );
  const { stdout } = await callProgram(['explain', `${seeds[0]}old`, '--dir', folder.path]);
  assert.match(stdout, /news\.gmi/);
  const text = await callProgram(['get', `${seeds[0]}news.gmi`, '--dir', folder.path]);
  assert.match(text.stdout, /The airlock was painted turquoise/);
});

test('subtitles.ts: what is said is found, in another thread as well', async () => {
  for (const workers of [0, 1]) {
    using folder = temporaryFolder();
    await crawl(folder.path, 'subtitles.ts', { workers });
    await updateIndex(folder.path);
    await using search = await openSearch({ folder: folder.path });
    const { hits } = await search.search({ query: 'marvellous cartwheel' });
    assert.deepEqual(
      hits.map(({ url }) => url),
      [`${origin}/film.srt`],
    );
  }
});

test('one-language.ts: other languages stay out and explain says by whose word; the guide comes first', async () => {
  using folder = temporaryFolder();
  const asked = await crawl(folder.path, 'one-language.ts', { concurrency: 1 });
  const pages = asked.filter((path) => path.startsWith('/en/'));
  assert.deepEqual(pages, ['/en/c', '/en/a']);
  const { stdout } = await callProgram(['explain', `${origin}/de/b`, '--dir', folder.path]);
  assert.match(stdout, /plug-in one-language: its folder is that of de/);
});

test('newer-first.ts: the order of hits turns, and the score says why', async () => {
  using folder = temporaryFolder();
  await crawl(folder.path, 'newer-first.ts');
  await updateIndex(folder.path);
  const first = async (plugins: readonly string[]): Promise<string | undefined> => {
    await using search = await openSearch({ folder: folder.path, plugins });
    return (await search.search({ query: 'apples' })).hits[0].url;
  };
  assert.equal(await first([]), `${origin}/en/a`);
  assert.equal(await first([example('newer-first.ts')]), `${origin}/en/c`);
  const flags = ['--plugins', example('newer-first.ts'), '--dir', folder.path, '--explain-score'];
  const { stdout } = await callProgram(['search', 'apples', ...flags]);
  assert.match(stdout, /signals of plug-ins/);
});

test('prices.ts: rows of the handler reach the sink, from any thread', async () => {
  for (const workers of [0, 1]) {
    using folder = temporaryFolder();
    await crawl(folder.path, 'prices.ts', { workers });
    const rows = readFileSync(join(folder.path, 'prices.jsonl'), 'utf8').trim().split('\n');
    assert.deepEqual(
      rows.map((row) => JSON.parse(row)),
      [
        { url: `${origin}/en/a`, title: 'Apples', currency: '€', amount: 1.2 },
        { url: `${origin}/en/a`, title: 'Apples', currency: '$', amount: 14 },
      ],
    );
  }
});

test('crawl-and-search.ts: a program of its own', async () => {
  using folder = temporaryFolder();
  const args = [example('crawl-and-search.ts'), `${origin}/`, 'apples', folder.path];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  assert.match(stdout, /^2 found\n/);
  assert.ok(stdout.includes(`${origin}/en/a Apples`));
});

test('each is under 40 lines', () => {
  for (const name of readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts')))
    assert.ok(readFileSync(example(name), 'utf8').split('\n').length <= 40, name);
});
