import assert from 'node:assert/strict';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WARCParser } from 'warcio';
import { CrawlReader, createCrawl } from '../../src/index.ts';
import { crawlAnyHosts, type HostAnswer } from './any-host-web.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

/** Status of every response in the archive, by URL. */
async function archivedStatus(folder: string): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  const archive = join(folder, 'archive');
  for (const file of readdirSync(archive).filter((name) => name.endsWith('.warc.gz'))) {
    for await (const record of new WARCParser(createReadStream(join(archive, file)))) {
      await record.readFully(true);
      if (record.warcType !== 'response') continue;
      const url = record.warcTargetURI ?? '';
      found[url] = [...(found[url] ?? []), Number(record.httpHeaders?.statusCode)];
    }
  }
  return found;
}

test('the last answer to a URL that is given up is archived, though it is no page', async () => {
  using folder = temporaryFolder();
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    if (pathname === '/robots.txt') return undefined;
    if (pathname === '/broken') return { status: 500, body: '<title>Sorry</title><p>broken</p>' };
    if (pathname === '/closed') return { status: 403, body: '<p>closed</p>' };
    return { body: '<title>Home</title><a href=/broken>b</a><a href=/closed>c</a>' };
  };
  const settings = { retries: 0, scope: 'host' } as const;
  const { summary, asked } = await crawlAnyHosts(web, folder.path, ['http://a.test/'], settings);
  assert.deepEqual([summary.pages, summary.failed], [1, { 'http-403': 1, 'http-500': 1 }]);
  assert.equal(asked.filter((url) => url.endsWith('/broken')).length, 1);
  const archived = await archivedStatus(folder.path);
  assert.deepEqual(archived['http://a.test/broken'], [500]);
  assert.deepEqual(archived['http://a.test/closed'], [403]);
  using reader = new CrawlReader(folder.path);
  const { page } = await reader.explain('http://a.test/broken');
  assert.deepEqual([page?.outcome?.kind, page?.facts?.status], ['failed', 500]);
  assert.match(Buffer.from((await reader.get('http://a.test/broken')).body).toString(), /Sorry/);
});

test('a seed that brought nothing and is named again is tried again; one that is not is left alone', async () => {
  using folder = temporaryFolder();
  let broken = true;
  const web = ({ pathname }: URL): HostAnswer | undefined =>
    pathname === '/robots.txt' ? undefined : broken ? { status: 500 } : { body: '<title>Home</title>' };
  const settings = { retries: 0, scope: 'host' } as const;
  const first = await crawlAnyHosts(web, folder.path, ['http://a.test/'], settings);
  assert.deepEqual([first.summary.pages, first.summary.failed], [0, { 'http-500': 1 }]);
  broken = false;
  const idle = await crawlAnyHosts(web, folder.path, [], settings);
  assert.deepEqual([idle.asked, idle.summary.failed], [[], { 'http-500': 1 }]);
  const { summary } = await crawlAnyHosts(web, folder.path, ['http://a.test/'], settings);
  assert.deepEqual([summary.pages, summary.failed, summary.revisits], [1, {}, undefined]);
});

test('other settings give a second chance to what they may turn, and to nothing else', async () => {
  using folder = temporaryFolder();
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    if (pathname === '/robots.txt') return { body: 'User-agent: *\nDisallow: /closed' };
    if (pathname === '/list') return { headers: { 'content-type': 'application/x-list' }, body: 'a list' };
    if (pathname === '/') return { body: '<title>Home</title><a href=/list>l</a><a href=/closed>c</a>' };
    return { body: '<title>Closed</title>' };
  };
  const settings = { retries: 0, scope: 'host' } as const;
  const first = await crawlAnyHosts(web, folder.path, ['http://a.test/'], settings);
  assert.deepEqual(first.summary.refused, { robots: 1, 'media-type': 1 });
  const second = await crawlAnyHosts(web, folder.path, [], { ...settings, mediaTypes: ['*/*'] });
  assert.deepEqual(second.summary.refused, { robots: 1 });
  assert.deepEqual(
    second.asked.filter((url) => !url.endsWith('robots.txt')),
    ['http://a.test/list'],
  );
  const third = await crawlAnyHosts(web, folder.path, [], { ...settings, mediaTypes: ['*/*'], robots: false });
  assert.deepEqual(third.summary.refused, {});
  assert.deepEqual(storedPages(folder.path), ['http://a.test/', 'http://a.test/closed', 'http://a.test/list']);
});

test('a resumed crawl says which settings hold only for later pages', async () => {
  using folder = temporaryFolder();
  const told: string[] = [];
  for (const text of [true, false, false]) {
    const settings = { folder: folder.path, seeds: ['http://127.0.0.1:9/'], workers: 0, text };
    await using crawl = await createCrawl(settings);
    using _ = crawl.on('warning', ({ code, message }) => told.push(`${code}: ${message}`));
    await crawl.run();
  }
  assert.equal(told.length, 1);
  assert.match(told[0], /^SETTINGS_CHANGED: text has changed: this holds for pages that are fetched from now on/);
});
