import assert from 'node:assert/strict';
import { createReadStream, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WARCParser } from 'warcio';
import { parseCdxj } from '../../../../src/archive/cdxj/cdxj-line.ts';
import { readWarc } from '../../../../src/archive/warc/warc-reader.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { COPY, HOSTILE, SPIDER, spiderCrawl, WEAVER } from '../exported-crawl.ts';

interface Seen {
  readonly type: string;
  readonly url: string;
}

/** By a tool of others. */
async function recordsIn(path: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  for await (const record of new WARCParser(createReadStream(path))) {
    await record.readFully(false);
    seen.push({ type: record.warcType ?? '', url: record.warcTargetURI ?? '' });
  }
  return seen;
}

test('a WARC export holds every record of the pages once, behind a warcinfo', async () => {
  await using crawl = await spiderCrawl();
  const seen = await recordsIn(await crawl.export('warc', 'all.warc.gz'));
  assert.equal(seen[0].type, 'warcinfo');
  const of = (url: string): string[] => seen.filter((record) => record.url === url).map(({ type }) => type);
  assert.deepEqual(of(SPIDER), ['request', 'response', 'metadata', 'conversion']);
  assert.deepEqual(of(COPY), ['request', 'revisit', 'metadata', 'conversion']);
  assert.deepEqual(of(WEAVER), ['request', 'response', 'metadata', 'conversion']);
  assert.equal(seen.length, 17);
});

test('a page that is a revisit brings what it refers to, and nothing else', async () => {
  await using crawl = await spiderCrawl();
  const path = await crawl.export('warc', 'copy.warc.gz', '--host', 'copy.example');
  const seen = await recordsIn(path);
  const mains = seen.filter(({ type }) => type === 'response' || type === 'revisit');
  assert.deepEqual(mains, [
    { type: 'response', url: SPIDER },
    { type: 'revisit', url: COPY },
  ]);
  assert.ok(!seen.some(({ url }) => url === WEAVER || url === HOSTILE));
});

test('the answers that redirect to its pages come along, and others do not', async () => {
  await using crawl = await spiderCrawl();
  const redirect = async (from: string, to: string): Promise<unknown> =>
    crawl.crawled.visit(from, { status: 301, outcome: { kind: 'redirected', to: to as CanonicalUrl } });
  await redirect('https://spiders.example/old', WEAVER);
  await redirect('https://spiders.example/away', 'https://elsewhere.example/');
  const seen = await recordsIn(await crawl.export('warc', 'one.warc.gz', '--host', 'spiders.example'));
  const urls = seen.filter(({ type }) => type === 'response').map(({ url }) => url);
  assert.deepEqual(urls.sort(), [SPIDER, 'https://spiders.example/old', WEAVER]);
});

test('the limit is about pages: what redirects to them comes along, wherever it stands', async () => {
  await using crawl = await spiderCrawl();
  const [first] = (await crawl.call('jsonl', '--columns', 'url', '--limit', '1')).stdout.split('\n');
  const to = (JSON.parse(first) as { readonly url: CanonicalUrl }).url;
  const olds = Array.from({ length: 12 }, (_, number) => `https://spiders.example/old-${number}`);
  for (const old of olds) await crawl.crawled.visit(old, { status: 301, outcome: { kind: 'redirected', to } });
  const seen = await recordsIn(await crawl.export('warc', 'one.warc.gz', '--limit', '1'));
  const urls = seen.filter(({ type, url }) => type === 'response' && url.includes('/old-')).map(({ url }) => url);
  assert.deepEqual(urls.sort(), olds.sort());
});

test('records are copied byte for byte', async () => {
  await using crawl = await spiderCrawl();
  const path = await crawl.export('warc', 'one.warc.gz', '--host', 'spiders.example');
  const bytes = readFileSync(path);
  for await (const item of readWarc(path)) {
    assert.equal(item.kind, 'record');
    if (item.kind !== 'record' || item.record.type === 'warcinfo') continue;
    const { offset, length } = item.record;
    const member = bytes.subarray(offset, offset + length);
    const original = readFileSync(join(crawl.folder, 'archive', await onlyWarc(crawl.folder)));
    assert.ok(original.includes(member), item.record.type);
  }
});

test('the CDXJ of a crawl is sorted and leads to its records; a filter leaves lines out', async () => {
  await using crawl = await spiderCrawl();
  const lines = readFileSync(await crawl.export('cdxj', 'all.cdxj'), 'utf8')
    .split('\n')
    .slice(0, -1);
  assert.equal(lines.length, 4);
  assert.deepEqual(lines, lines.toSorted());
  const warc = readFileSync(join(crawl.folder, 'archive', await onlyWarc(crawl.folder)));
  for (const line of lines) {
    const capture = parseCdxj(line);
    assert.ok(capture !== undefined, line);
    assert.equal(warc.readUInt16BE(capture.offset), 0x1f8b);
  }
  const some = readFileSync(await crawl.export('cdxj', 'some.cdxj', '--host', 'spiders.example'), 'utf8');
  assert.deepEqual(
    some
      .split('\n')
      .slice(0, -1)
      .map((line) => parseCdxj(line)?.url),
    [SPIDER, WEAVER],
  );
  assert.ok(lines.includes(some.split('\n')[0]), 'the same line');
});

test('every version of a page can be exported', async () => {
  await using crawl = await spiderCrawl();
  await crawl.crawled.visit(WEAVER, { html: 'changed', text: 'changed' });
  const newest = await recordsIn(await crawl.export('warc', 'newest.warc.gz', '--host', 'spiders.example'));
  const every = await recordsIn(
    await crawl.export('warc', 'every.warc.gz', '--host', 'spiders.example', '--table', 'versions'),
  );
  const responses = (seen: readonly Seen[]): number =>
    seen.filter(({ type, url }) => type === 'response' && url === WEAVER).length;
  assert.deepEqual([responses(newest), responses(every)], [1, 2]);
  const refused = await crawl.call('warc', '--table', 'links', '--output', crawl.path('x'));
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--table versions/);
});

test('a copy that cannot be read is left out, and said', async () => {
  await using crawl = await spiderCrawl();
  const { location, at } = await crawl.crawled.archive('https://spiders.example/lost', { html: 'lost' });
  crawl.crawled.settle('https://spiders.example/lost', {}, { ...location, offset: location.offset + 1 }, at);
  const { status, stderr } = await crawl.call('warc', '--output', crawl.path('x.warc.gz'));
  assert.equal(status, 0);
  assert.match(stderr, /1 copy could not be read and is left out/);
  assert.equal((await recordsIn(crawl.path('x.warc.gz'))).length, 17);
});

async function onlyWarc(folder: string): Promise<string> {
  const { archiveFiles } = await import('../../../../src/archive/cdxj/cdxj-index.ts');
  return (await archiveFiles(join(folder, 'archive')))[0];
}

test('where copies are gone, every format says so, and names nothing that it does not hold', async () => {
  await using crawl = await spiderCrawl();
  const warc = await onlyWarc(crawl.folder);
  renameSync(join(crawl.folder, 'archive', warc), crawl.path('elsewhere'));
  for (const format of ['jsonl', 'parquet', 'warc', 'wacz', 'trec-web', 'markdown']) {
    const columns = format === 'jsonl' || format === 'parquet' ? ['--columns', 'url,text'] : [];
    const { status, stderr, stdout } = await crawl.call(format, '--output', crawl.path(format), '--json', ...columns);
    assert.equal(status, 0, `${format}: ${stderr}`);
    assert.match(stderr, /could not be read/, format);
    assert.equal(JSON.parse(stdout).rows, columns.length === 0 ? 0 : 4, format);
  }
});
