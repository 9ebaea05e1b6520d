import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { parseCdxj } from '../../../../src/archive/cdxj/cdxj-line.ts';
import { zipDirectory } from '../../../../src/archive/foreign/zip-directory.ts';
import { openLocalBytes } from '../../../../src/archive/shipping/archive-bytes.ts';
import { COPY, HOSTILE, SPIDER, spiderCrawl, WEAVER } from '../exported-crawl.ts';

/** The files of a ZIP file, unpacked. */
async function unzipped(path: string): Promise<Map<string, Buffer>> {
  const source = await openLocalBytes(path);
  try {
    const entries = await zipDirectory(source);
    assert.ok(typeof entries !== 'string', String(entries));
    const files = new Map<string, Buffer>();
    for (const { name, method, start, length } of entries) {
      const packed = await source.read(start, length);
      files.set(name, method === 0 ? packed : inflateRawSync(packed));
      assert.equal(method, /\.gz$/.test(name) ? 0 : 8, `${name} is stored where it is compressed already`);
    }
    return files;
  } finally {
    await source.close();
  }
}

test('a WACZ export has its parts, with the right hashes', async () => {
  await using crawl = await spiderCrawl();
  const files = await unzipped(await crawl.export('wacz', 'all.wacz', '--title', 'Spiders'));
  assert.deepEqual(
    [...files.keys()],
    [
      'archive/data-00000.warc.gz',
      'indexes/index.cdx.gz',
      'indexes/index.idx',
      'pages/pages.jsonl',
      'datapackage.json',
      'datapackage-digest.json',
    ],
  );
  const about = JSON.parse(String(files.get('datapackage.json')));
  assert.equal(about.wacz_version, '1.1.1');
  assert.equal(about.profile, 'data-package');
  assert.equal(about.title, 'Spiders');
  const unnamed = await unzipped(await crawl.export('wacz', 'unnamed.wacz'));
  const warc = String(gunzipSync(unnamed.get('archive/data-00000.warc.gz') ?? Buffer.alloc(0)));
  assert.equal(JSON.parse(String(unnamed.get('datapackage.json'))).title, 'crawl', 'not where it lies on this machine');
  assert.match(warc, /^isPartOf: crawl\r$/m);
  assert.equal(about.resources.length, 4);
  for (const { path, hash, bytes } of about.resources) {
    const contents = files.get(path) ?? Buffer.alloc(0);
    assert.equal(bytes, contents.length);
    assert.equal(hash, `sha256:${createHash('sha256').update(contents).digest('hex')}`);
  }
  const digest = JSON.parse(String(files.get('datapackage-digest.json')));
  const ofAbout = createHash('sha256')
    .update(files.get('datapackage.json') ?? '')
    .digest('hex');
  assert.deepEqual(digest, { path: 'datapackage.json', hash: `sha256:${ofAbout}` });
});

test('its index leads to the records, and its list names the pages with title and text', async () => {
  await using crawl = await spiderCrawl();
  const files = await unzipped(await crawl.export('wacz', 'all.wacz'));
  const lines = gunzipSync(files.get('indexes/index.cdx.gz') ?? '')
    .toString()
    .split('\n')
    .slice(0, -1);
  assert.deepEqual(lines, lines.toSorted());
  const captures = lines.map((line) => parseCdxj(line));
  assert.deepEqual(captures.map((capture) => capture?.url).sort(), [COPY, HOSTILE, SPIDER, WEAVER].sort());
  for (const capture of captures) {
    assert.ok(capture !== undefined);
    const warc = files.get(`archive/${capture.file}`) ?? Buffer.alloc(0);
    const record = gunzipSync(warc.subarray(capture.offset, capture.offset + capture.length)).toString('latin1');
    assert.match(record, /^WARC\/1\.1\r\nWARC-Type: re(?:sponse|visit)\r\n/);
    assert.ok(record.includes(`WARC-Target-URI: ${capture.url}\r\n`));
  }
  const [meta, block] = String(files.get('indexes/index.idx')).split('\n');
  assert.match(meta, /^!meta 0 \{"format":"cdxj-gzip-1\.0"/);
  const place = JSON.parse(block.slice(block.indexOf('{')));
  assert.equal(place.length, files.get('indexes/index.cdx.gz')?.length);
  const [head, ...pages] = String(files.get('pages/pages.jsonl'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  assert.deepEqual(head, { format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: true });
  const weaver = pages.find(({ url }) => url === WEAVER);
  assert.equal(weaver.title, 'Orb weaver');
  assert.match(weaver.text, /^Weavers make orb webs/);
  assert.equal(pages.length, 4);
});

test('it can go to standard output', async () => {
  await using crawl = await spiderCrawl();
  const first = readFileSync(await crawl.export('wacz', 'all.wacz'));
  const { status, stdout } = await crawl.call('wacz', '--quiet');
  assert.equal(status, 0);
  // Called within this process its output is a text; the first bytes tell enough.
  assert.equal(stdout.slice(0, 2), 'PK');
  assert.equal(first.toString('latin1', 0, 2), 'PK');
});
