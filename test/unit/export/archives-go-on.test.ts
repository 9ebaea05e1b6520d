import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWarc } from '../../../src/archive/warc/warc-reader.ts';
import type { ExportPage, ExportSource } from '../../../src/contracts/export.ts';
import { CrawlReader } from '../../../src/crawl/report/crawl-reader.ts';
import { exportEntry } from '../../../src/export/export-formats.ts';
import { type ExportResult, runExport } from '../../../src/export/run-export.ts';
import { CrawlExportSource } from '../../../src/export/source/crawl-export-source.ts';
import { type ExportedCrawl, spiderCrawl } from './exported-crawl.ts';

/** Ends like a process that is killed when it has written some pages. */
class Cut extends Error {}

function cutAfter(source: CrawlExportSource, pages: number): ExportSource {
  return new Proxy(source, {
    get(target, name) {
      if (name !== 'pages') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async function* (...args: Parameters<ExportSource['pages']>): AsyncGenerator<ExportPage> {
        let left = pages;
        for await (const page of target.pages(...args)) {
          if (left-- === 0) throw new Cut();
          yield page;
        }
      };
    },
  }) as unknown as ExportSource;
}

/** A checkpoint after every page. */
async function exported(
  crawl: ExportedCrawl,
  name: string,
  to: string,
  pages = Number.POSITIVE_INFINITY,
): Promise<ExportResult> {
  const entry = exportEntry(name);
  using reader = new CrawlReader(crawl.folder);
  await using source = new CrawlExportSource({
    ...{ reader, filter: {}, isResumable: true, identity: 'same', signature: () => 'same' },
    listLinks: async () => [],
    listRows: () => [],
    search: async () => [],
  });
  return await runExport({
    ...{ entry, format: await entry.load(), source: cutAfter(source, pages), options: {}, to, checkpointBytes: 1 },
  });
}

async function recordIds(path: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const item of readWarc(path)) {
    assert.equal(item.kind, 'record');
    if (item.kind === 'record' && item.record.type !== 'warcinfo')
      ids.push(item.record.fields.get('WARC-Record-ID') ?? '');
  }
  return ids;
}

test('a WARC export that was cut off goes on, and no record is there twice', async () => {
  await using crawl = await spiderCrawl();
  const whole = crawl.path('whole.warc.gz');
  await exported(crawl, 'warc', whole);
  const expected = await recordIds(whole);
  assert.equal(new Set(expected).size, expected.length);
  for (let pages = 1; pages < 4; pages++) {
    const path = crawl.path(`cut-${pages}.warc.gz`);
    await assert.rejects(exported(crawl, 'warc', path, pages), Cut);
    assert.ok(!existsSync(path), 'nothing has the name of a whole export');
    const { rows, resumedAt } = await exported(crawl, 'warc', path);
    assert.deepEqual([rows, resumedAt], [4, pages]);
    assert.deepEqual(await recordIds(path), expected);
  }
});

test('a TREC export that was cut off is, in the end, the same byte for byte', async () => {
  await using crawl = await spiderCrawl();
  const whole = crawl.path('whole.trec');
  await exported(crawl, 'trec-web', whole);
  const path = crawl.path('cut.trec');
  for (const pages of [1, 2]) await assert.rejects(exported(crawl, 'trec-web', path, pages), Cut);
  assert.equal((await exported(crawl, 'trec-web', path)).resumedAt, 3);
  assert.deepEqual(readFileSync(path), readFileSync(whole));
});

test('a Markdown export that was cut off has every file, whole', async () => {
  await using crawl = await spiderCrawl();
  const whole = crawl.path('whole');
  await exported(crawl, 'markdown', whole);
  const path = crawl.path('cut');
  for (const pages of [2, 1]) await assert.rejects(exported(crawl, 'markdown', path, pages), Cut);
  assert.equal((await exported(crawl, 'markdown', path)).resumedAt, 3);
  const files = globSync('**/*', { cwd: whole }).sort();
  assert.deepEqual(globSync('**/*', { cwd: path }).sort(), files);
  for (const file of files.filter((name) => name.endsWith('.md')))
    assert.deepEqual(readFileSync(join(path, file)), readFileSync(join(whole, file)), file);
});

test('formats that number or hash all of their pages begin again, safely', async () => {
  await using crawl = await spiderCrawl();
  const path = crawl.path('cut.wacz');
  await assert.rejects(exported(crawl, 'wacz', path, 2), Cut);
  assert.ok(!existsSync(path));
  const { rows, resumedAt } = await exported(crawl, 'wacz', path);
  assert.deepEqual([rows, resumedAt], [4, undefined]);
});
