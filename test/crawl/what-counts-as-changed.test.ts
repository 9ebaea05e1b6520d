import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fingerprint } from '../../src/base/fingerprint.ts';
import { CrawlReader, type PageVersion } from '../../src/crawl/report/crawl-reader.ts';
import { lastChange } from '../../src/web/copies/last-change.ts';
import { CrawlFolderReader } from '../../src/web/crawl-folder-reader.ts';
import { textOf } from './any-host-web.ts';
import { changesIn, crawlUntil, DAY } from './changing-site.ts';
import { temporaryFolder } from './crawl-web.ts';

const OFTEN = { revisitMin: DAY / 2, revisitMax: DAY, revisitPolicy: 'uniform', requestsPerDay: 10_000 } as const;

interface Asked {
  readonly path: string;
  readonly etag?: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, visit: number) => string | undefined;

/** `/` links to all; a page answers with its body, or has answered by itself. */
async function serve(pages: Record<string, Answer>) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const etag = request.headers['if-none-match'];
    asked.push({ path, ...(etag === undefined ? {} : { etag }) });
    response.setHeader('content-type', 'text/html');
    const visit = asked.filter((one) => one.path === path).length;
    const body =
      path === '/' ? page('Home', textOf('home'), Object.keys(pages)) : pages[path]?.(request, response, visit);
    if (body !== undefined) response.end(body);
    else if (pages[path] === undefined) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    seed,
    asked,
    urlOf: (path: string) => new URL(path, seed).href,
    times: (path: string) => asked.filter((one) => one.path === path).length,
    inFull: (path: string) => asked.filter((one) => one.path === path && one.etag === undefined).length,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function page(title: string, text: string, links: readonly string[] = [], around = ''): string {
  const list = links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('');
  return `<!doctype html><title>${title}</title><body><article><h1>${title}</h1><p>${text}</p></article>${list}<aside class="ads">${around}</aside></body>`;
}

/** Says half of a body, and no more. */
function breakOff(response: ServerResponse, body: string, headers: Record<string, string> = {}): undefined {
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

const changed = (folder: string) => changesIn(folder).filter((line) => !line.startsWith('new'));

test('a body that breaks off is a failure where a whole copy is held, and is repaired where none is', async () => {
  using folder = temporaryFolder();
  const whole = page('Cut', `${textOf('cut', 200)} zymurgy`);
  let isCut = false;
  const cuts = new Map<string, number>();
  const answer: Answer = ({ headers, url = '' }, response) => {
    const times = cuts.get(url) ?? 0;
    if (isCut && times < 3) {
      cuts.set(url, times + 1);
      return breakOff(response, whole, { etag: '"1"' });
    }
    response.setHeader('etag', '"1"');
    if (headers['if-none-match'] !== '"1"') return whole;
    return void response.writeHead(304).end();
  };
  using site = await serve({
    '/cut': answer,
    // A first copy that is not whole is better than none.
    '/first': (request, response, visit) =>
      visit === 1
        ? breakOff(response, whole.replace('Cut', 'First'), { etag: '"1"' })
        : answer(request, response, visit)?.replace('Cut', 'First'),
    // Its length is always said wrongly: what there is counts.
    '/wrong': (_, response, visit) => breakOff(response, page('Wrong', textOf(visit < 3 ? 'one' : 'other', 400))),
  });
  const visited = (times: number) => {
    const before = ['/cut', '/first', '/wrong'].map((path) => [path, site.times(path)] as const);
    return () => before.every(([path, visits]) => site.times(path) >= visits + times);
  };
  await crawlUntil(folder.path, site.seed, visited(5), OFTEN);
  isCut = true;
  await crawlUntil(folder.path, site.seed, visited(3), OFTEN);
  assert.equal(cuts.get('/cut'), 3);
  assert.match((await stored(folder.path, site.urlOf('/cut'))) ?? '', /zymurgy/);
  const endings = await endingsOf(folder.path, site.urlOf('/cut'));
  assert.equal(endings.filter((kind) => kind === 'stored').length, 1, 'no piece was kept');
  isCut = false;
  await crawlUntil(folder.path, site.seed, visited(3), OFTEN);
  for (const path of ['/cut', '/first']) {
    assert.match((await stored(folder.path, site.urlOf(path))) ?? '', /zymurgy/);
    assert.equal((await factsOf(folder.path, site.urlOf(path)))?.truncated, undefined);
    assert.ok(
      site.asked
        .filter((one) => one.path === path)
        .slice(-3)
        .some(({ etag }) => etag === '"1"'),
      'a whole copy has validators',
    );
  }
  assert.deepEqual(
    site.asked.filter(({ path }) => path === '/first').slice(0, 2),
    [{ path: '/first' }, { path: '/first' }],
    'what had broken off is asked for in full',
  );
  assert.deepEqual(changed(folder.path), ['changed /wrong']);
});

test('a page that breaks off for ever is kept up to date, and where it breaks off is no change', async () => {
  using folder = temporaryFolder();
  let version = 1;
  const textNow = () => page('Wrong', `${textOf(`version ${version}`, 200)} zymurgy ${version}`, [], 'x'.repeat(2000));
  let isCut = false;
  using site = await serve({
    '/wrong': (_, response) => (isCut ? breakOff(response, textNow()) : textNow()),
    // Never whole, and never twice the same.
    '/anywhere': (_, response, visit) => {
      const body = Buffer.from(page('Anywhere', textOf('anywhere', 900)));
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.subarray(0, 1000 + ((visit * 997) % 3000)), () => response.destroy());
      return undefined;
    },
  });
  const isKept = async (words: RegExp) => words.test((await stored(folder.path, site.urlOf('/wrong'))) ?? '');
  await crawlUntil(folder.path, site.seed, () => site.times('/wrong') >= 3, OFTEN);
  for (const [name, retries] of [
    ['by the retries of a visit', 3],
    ['by visits', 0],
  ] as const) {
    isCut = true;
    version++;
    const before = site.times('/wrong');
    await crawlUntil(folder.path, site.seed, () => site.times('/wrong') >= before + 8, { ...OFTEN, retries });
    assert.ok(await isKept(new RegExp(`zymurgy ${version}`)), name);
    isCut = false;
    await crawlUntil(folder.path, site.seed, () => site.times('/wrong') >= before + 12, OFTEN);
  }
  assert.ok(site.times('/anywhere') > 8);
  // Found when it was whole again.
  assert.deepEqual(changed(folder.path), ['changed /wrong', 'changed /wrong']);
});

test('neither advertisements on two addresses of one article, nor tokens, nor case are changes; a headline is one', async () => {
  using folder = temporaryFolder();
  const article = textOf('article');
  const around = (visit: number) => page('Article', article, [], `<p>Advertisement ${visit % 2}</p>`);
  let isLater = false;
  using site = await serve({
    '/x': (_request, _response, visit) => around(visit),
    '/print/x': (_request, _response, visit) => around(visit + 1),
    '/spa': (_request, _response, visit) =>
      `<!doctype html><title>(${visit}) App</title><meta name="csrf" content="${visit}"><body><div id="root"></div><a href="/?t=${visit}"></a><input type="hidden" value="${visit}"><script nonce="${visit}">boot()</script>`,
    '/case': () => page('Case', isLater ? textOf('case').toUpperCase().replaceAll(' ', ' \n ') : textOf('case')),
    '/h1': () => page(isLater ? 'Minister resigns' : 'Minister denies report', textOf('h1')),
    '/shell': () => `<!doctype html><title>App</title><body><a href="/${isLater ? 'x' : 'case'}"></a>`,
  });
  const all = ['/x', '/print/x', '/spa', '/case', '/h1', '/shell'];
  const visited = (times: number) => {
    const before = all.map((path) => [path, site.times(path)] as const);
    return () => before.every(([path, visits]) => site.times(path) >= visits + times);
  };
  await crawlUntil(folder.path, site.seed, visited(6), OFTEN);
  assert.deepEqual(changed(folder.path), []);
  isLater = true;
  await crawlUntil(folder.path, site.seed, visited(4), OFTEN);
  assert.deepEqual(changed(folder.path).sort(), ['changed /h1', 'changed /shell']);
  assert.equal((await factsOf(folder.path, site.urlOf('/x')))?.formerTextDigest, undefined);

  using reader = new CrawlReader(folder.path);
  const copies = new CrawlFolderReader(reader);
  const textAt = async (version: PageVersion) => (await copies.comparedTextOf(version)) ?? '';
  const difference = async (path: string) => lastChange(await reader.versions(site.urlOf(path)), textAt, 50);
  const { differs, blocks } = await difference('/h1');
  assert.ok(differs);
  // The clock of the second run began behind that of the first: which copy is the older one is not told here.
  const words = blocks.flatMap((block) => (block.kind === 'changed' ? block.parts.map(({ text }) => text.trim()) : []));
  assert.deepEqual(words.sort(), ['Minister', 'denies report', 'resigns']);
  assert.deepEqual(blocks.slice(1), [{ kind: 'same', text: textOf('h1') }]);
  for (const path of ['/x', '/case']) assert.equal((await difference(path)).differs, false);
});

test('digests of earlier versions are compared as they were made', async () => {
  using folder = temporaryFolder();
  let isLater = false;
  using site = await serve({
    '/same': (_request, _response, visit) => page('Same', textOf('Same'), [], `<p>Advertisement ${visit}</p>`),
    '/other': () => page('Other', textOf(isLater ? 'other' : 'one')),
  });
  const visited = (times: number) => {
    const least = site.times('/same') + times;
    return () => site.times('/same') >= least && site.times('/other') >= least;
  };
  await crawlUntil(folder.path, site.seed, visited(2), OFTEN);
  using db = new DatabaseSync(join(folder.path, 'state.db'));
  for (const [path, text] of [
    ['/same', textOf('Same')],
    ['/other', textOf('one')],
  ]) {
    const former = fingerprint(text).toString(16).padStart(16, '0');
    const write = db.prepare(`UPDATE page SET facts = json_set(facts, '$.textDigest', ?) WHERE url = ?`);
    assert.equal(write.run(former, site.urlOf(path)).changes, 1);
  }
  isLater = true;
  await crawlUntil(folder.path, site.seed, visited(4), OFTEN);
  assert.deepEqual(changed(folder.path), ['changed /other']);
  const facts = await factsOf(folder.path, site.urlOf('/same'));
  assert.match(facts?.textDigest ?? '', /^2:/);
  assert.equal(facts?.formerTextDigest, undefined, 'needed once');
});

test('a server that always says "not modified" is found out, one that is right is hardly ever asked in full', async () => {
  using folder = temporaryFolder();
  let version = 1;
  const honest: Answer = ({ headers }, response) => {
    response.setHeader('etag', `"${version}"`);
    if (headers['if-none-match'] !== `"${version}"`) return page('Honest', textOf(`honest ${version}`));
    return void response.writeHead(304).end();
  };
  /** Whatever it is asked. */
  const frozen =
    (etag: () => string): Answer =>
    ({ headers }, response) => {
      response.setHeader('etag', etag());
      if (headers['if-none-match'] === undefined) return page('Frozen', textOf(`frozen ${etag()} ${version}`));
      return void response.writeHead(304).end();
    };
  const steady = ['/1', '/2', '/3', '/4', '/5', '/6'];
  using right = await serve(Object.fromEntries(steady.map((path) => [path, honest])));
  using wrong = await serve({ '/frozen': frozen(() => '"1"'), '/other': frozen(() => `"${version}"`) });
  const seeds = [right.seed, wrong.seed];
  const told = (path: string) => changesIn(folder.path).filter((line) => line === `changed ${path}`).length;
  await crawlUntil(folder.path, seeds, () => steady.every((path) => right.times(path) >= 24), OFTEN);
  const bodies = steady.reduce((sum, path) => sum + right.inFull(path) - 1, 0);
  const visits = steady.reduce((sum, path) => sum + right.times(path) - 1, 0);
  assert.ok(bodies > 0 && bodies < visits / 6, `${bodies} of ${visits} in full`);
  version = 2;
  const both = () => told('/frozen') === 1 && told('/other') === 1;
  await crawlUntil(folder.path, seeds, both, OFTEN);
  assert.ok(both());
  // From then on the next change is found at the next visit, also after a restart.
  version = 3;
  const before = wrong.times('/frozen');
  await crawlUntil(folder.path, seeds, () => wrong.times('/frozen') >= before + 2, OFTEN);
  assert.equal(told('/frozen'), 2);
  assert.equal(right.asked.slice(-50).filter(({ path, etag }) => path !== '/' && etag === undefined).length < 10, true);
});

async function stored(folder: string, url: string): Promise<string | undefined> {
  using reader = new CrawlReader(folder);
  return reader.textOf(await reader.get(url));
}

async function endingsOf(folder: string, url: string): Promise<readonly string[]> {
  using reader = new CrawlReader(folder);
  return ((await reader.explain(url)).page?.history ?? []).map(({ kind }) => kind);
}

async function factsOf(folder: string, url: string) {
  using reader = new CrawlReader(folder);
  return (await reader.explain(url)).page?.facts;
}
