import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import type { ExportFilter, ExportSource, StreamFrom } from '../../src/contracts/export.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { listLinks, openLinkReader } from '../../src/engines/open-links.ts';
import { CrawlExportSource } from '../../src/export/source/crawl-export-source.ts';
import { updateIndex } from '../../src/index.ts';
import { type Truth, truth } from '../../src/simulate/model/truth.ts';
import { RICH_WEB } from '../../src/simulate/model/web-presets.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { callProgram } from '../called-program.ts';
import { crawlWeb, temporaryFolder } from './crawl-web.ts';

const STREAMS = ['pages', 'urls', 'decisions', 'links', 'versions'] as const;

describe('Exports of a synthetic web', () => {
  const folder = temporaryFolder();
  let web: WebServer;
  let expected: Truth;
  let reader: CrawlReader;

  function sourceOf(filter: ExportFilter = {}): ExportSource {
    return new CrawlExportSource({
      ...{ reader, filter, isResumable: true, identity: '', signature: () => '' },
      listLinks: async (behind) => listLinks(folder.path, behind),
      listRows: () => [],
      search: async () => [],
    });
  }

  async function cursorsOf(
    source: ExportSource,
    stream: (typeof STREAMS)[number],
    from?: StreamFrom,
  ): Promise<string[]> {
    const cursors: string[] = [];
    for await (const { cursor } of source[stream](from)) cursors.push(cursor);
    return cursors;
  }

  /** Where robots.txt cannot be read, nothing is allowed either; but it may be readable tomorrow, and the URLs wait. */
  const disallowedByRules = (): Set<string> => {
    const unread = web.origins.filter((_, host) => web.web.robots(host).verdict === 'disallow-all');
    return new Set(expected.urls('disallowed').filter((url) => !unread.some((origin) => url.startsWith(origin))));
  };

  const exported = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await callProgram(['export', ...args, '--dir', folder.path]);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const objects = (lines: string): Record<string, string>[] =>
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  before(async () => {
    web = await startSyntheticWeb({
      ...RICH_WEB,
      ...{ hosts: 4, pagesPerHost: 12, seed: 113, retryAfterSeconds: 1, pageBytes: [1_000, 4_000], changingShare: 0 },
      sites: { mirror: 0, sitemap: 0, feed: 0, softNotFound: 0, validators: 0 },
      pages: { ...RICH_WEB.pages, tooManyRequests: 0, unavailable: 0 },
    });
    await crawlWeb(web, folder.path, { softNotFound: false, spam: 'off' } as object);
    await updateIndex(folder.path);
    expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    reader = new CrawlReader(folder.path);
  });
  after(async () => {
    reader?.[Symbol.dispose]();
    await web[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('pages are those of the model, decisions those of the state', async () => {
    const pages = objects(await exported('jsonl', '--columns', 'url,text,language,warcFile'));
    assert.deepEqual(pages.map(({ url }) => url).sort(), expected.urls('stored').sort());
    assert.ok(pages.some(({ text }) => text?.length > 100));
    const decisions = objects(await exported('jsonl', '--table', 'decisions'));
    const known = [...reader.knownUrls()].filter(({ outcome }) => outcome !== undefined);
    const stated = known.map(({ url, outcome }) => [
      url,
      outcome?.kind,
      outcome?.kind === 'refused' ? outcome.rule : '',
    ]);
    const told = decisions.map(({ url, decision, rule }) => [url, decision, decision === 'refused' ? rule : '']);
    assert.deepEqual(told, stated);
    const refused = decisions.filter(({ by }) => by === 'robots').map(({ url }) => url);
    assert.ok(refused.length > 0);
    assert.deepEqual(refused.sort(), [...disallowedByRules()].sort());
    const redirected = decisions.filter(({ decision }) => decision === 'redirected').map(({ url }) => url);
    assert.deepEqual(redirected.sort(), expected.urls('redirected').sort());
  });

  test('every known URL is a row once; those of a host without readable robots.txt wait', async () => {
    const urls = objects(await exported('jsonl', '--table', 'urls', '--columns', 'url,outcome'));
    assert.equal(new Set(urls.map(({ url }) => url)).size, urls.length);
    const ruled = disallowedByRules();
    const unread = expected.urls('disallowed').filter((url) => !ruled.has(url));
    assert.ok(unread.length > 0);
    const waiting = urls.filter(({ outcome }) => outcome === 'waiting').map(({ url }) => url);
    assert.deepEqual(waiting.sort(), unread.sort());
  });

  test('links are those of the link store, in every format', async () => {
    using links = openLinkReader(folder.path);
    const rows = objects(await exported('jsonl', '--table', 'links'));
    assert.equal(rows.length, links.links);
    assert.equal((await exported('edges')).split('\n').length - 1, links.links);
    assert.equal((await exported('graphml')).match(/<edge /g)?.length, links.links);
    const path = join(folder.path, 'links.parquet');
    await exported('parquet', '--table', 'links', '--output', path);
    const bytes = readFileSync(path);
    const read = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    assert.deepEqual(
      read.map(({ source, target, anchor }) => ({ source, target, anchor })),
      rows.map(({ source, target, anchor }) => ({ source, target, anchor })),
    );
  });

  test('a stream goes on behind each of its rows', async () => {
    for (const stream of STREAMS) {
      const all = await cursorsOf(sourceOf(), stream);
      assert.ok(all.length >= 10, stream);
      assert.equal(new Set(all).size, all.length, stream);
      for (let at = 0; at < all.length; at += Math.ceil(all.length / 7))
        assert.deepEqual(
          await cursorsOf(sourceOf(), stream, { cursor: all[at], rows: at + 1 }),
          all.slice(at + 1),
          stream,
        );
      const limited = sourceOf({ limit: 5 });
      assert.deepEqual(await cursorsOf(limited, stream), all.slice(0, 5), stream);
      assert.deepEqual(await cursorsOf(limited, stream, { cursor: all[2], rows: 3 }), all.slice(3, 5), stream);
    }
  });

  test('filters take what they say', async () => {
    const all = objects(await exported('jsonl', '--columns', 'url,host,language,mediaType,fetchedAt'));
    const [{ host, fetchedAt }] = all;
    const ofHost = objects(await exported('jsonl', '--host', host));
    assert.equal(ofHost.length, all.filter((page) => page.host === host).length);
    const before = objects(await exported('jsonl', '--to', fetchedAt));
    assert.equal(before.length, all.filter((page) => page.fetchedAt < fetchedAt).length);
    const since = objects(await exported('jsonl', '--from', fetchedAt));
    assert.equal(since.length + before.length, all.length);
    assert.equal(objects(await exported('jsonl', '--language', 'xx')).length, 0);
    const html = objects(await exported('jsonl', '--type', 'text/*'));
    assert.equal(html.length, all.filter(({ mediaType }) => mediaType.startsWith('text/')).length);
    assert.equal(objects(await exported('jsonl', '--usage', 'ai-train')).length, all.length);
    assert.equal(objects(await exported('jsonl', '--usage', 'ai-train=allowed')).length, 0);
    const links = objects(await exported('jsonl', '--table', 'links', '--host', host, '--type', 'text/html'));
    assert.ok(links.length > 0 && links.every(({ sourceHost }) => sourceHost === host));
    // Not of a page that wants no place in the index: which comes first depends on the port.
    const inIndex = ['--type', 'text/html', '--usage', 'search'];
    const [{ title }] = objects(await exported('jsonl', '--columns', 'title', ...inIndex));
    const found = objects(await exported('jsonl', '--columns', 'url,title', '--query', `intitle:"${title}"`));
    assert.ok(found.length > 0 && found.length < all.length);
    assert.equal(objects(await exported('jsonl', '--query', 'nosuchwordanywhere')).length, 0);
  });

  test('wrong command lines are told with a remedy, and leave nothing behind', async () => {
    const path = join(folder.path, 'nothing');
    for (const args of [
      ['excel'],
      ['csv', '--table', 'none'],
      ['csv', '--columns', 'none'],
      ['csv', '--table', 'urls', '--language', 'en'],
      ['csv', '--usage', 'everything'],
      ['csv', '--type', 'html'],
      ['csv', '--type', ','],
      ['csv', '--host', ''],
      ['csv', '--host', ','],
      ['csv', '--language', ''],
      ['csv', '--output', ''],
      ['csv', '--from', '2026-02-01', '--to', '2026-01-01'],
      ['parquet', '--compress', 'gzip'],
      ['webgraph'],
      ['sitemap', '--output', path],
    ]) {
      const { status, stderr } = await callProgram(['export', ...args, '--dir', folder.path]);
      assert.equal(status, 2, args.join(' '));
      assert.match(stderr, /^orbweaver: USAGE: .+\n {2}\S/, args.join(' '));
    }
    assert.equal(existsSync(path), false);
    assert.equal(existsSync(`${path}.part`), false);
    assert.match((await callProgram(['export', 'list'])).stdout, /parquet[\s\S]*decisions/);
  });
});
