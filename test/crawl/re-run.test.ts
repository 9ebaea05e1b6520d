import assert from 'node:assert/strict';
import dns from 'node:dns';
import net from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { CrawlReader, type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { crawlWeb, temporaryFolder } from './crawl-web.ts';

interface Row {
  readonly url: string;
  readonly ending: string;
  readonly facts: string;
}

/** What is known of every page, but for times, places and addresses, which are those of the run. */
function pagesOf(folder: string): Map<string, Row> {
  using db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
  const rows = db.prepare(`SELECT url, kind, outcome, facts FROM page ORDER BY url`).all() as {
    readonly [name: string]: string;
  }[];
  return new Map(
    rows.map(({ url, kind, outcome, facts }) => {
      const told = JSON.parse(facts ?? '{}');
      const { location, requestedAt, fetchMs, address, document, signs, etag, lastModified, ...kept } = told;
      return [url, { url, ending: kind === 'failed' ? kind : outcome, facts: JSON.stringify(kept) }];
    }),
  );
}

function refusalsOf(folder: string): string[] {
  using db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
  const rows = db.prepare(`SELECT task ->> '$.url' AS url, by FROM refusal ORDER BY 1`).all();
  return (rows as { url: string; by: string }[]).map(({ url, by }) => `${by} ${url}`);
}

/** Runs without any way out; answers how often somebody tried. */
async function withoutNetwork(run: () => Promise<unknown>): Promise<number> {
  let tries = 0;
  const { connect } = net.Socket.prototype;
  const { lookup } = dns;
  const refuse = (): never => {
    tries++;
    throw new Error('a re-run asks nobody');
  };
  net.Socket.prototype.connect = refuse as never;
  dns.lookup = refuse as never;
  try {
    await run();
  } finally {
    net.Socket.prototype.connect = connect;
    dns.lookup = lookup;
  }
  return tries;
}

test('a re-run from our own WARC gives the pages, texts and links of the first run, and asks nobody', async () => {
  using first = temporaryFolder();
  using second = temporaryFolder();
  const settings: Partial<CreateCrawlSettings> = { softNotFound: false, retries: 1 };
  let seeds: readonly string[] = [];
  {
    await using web = await startSyntheticWeb({
      ...{ hosts: 6, pagesPerHost: 20, seed: 11, retryAfterSeconds: 0, crawlDelaySeconds: 0 },
    });
    seeds = web.origins;
    await crawlWeb(web, first.path, settings);
  }
  const tries = await withoutNetwork(async () => {
    await using crawl = await createCrawl({
      ...{ folder: second.path, seeds, scope: 'any', sitemaps: 'off', workers: 0, ...settings },
      fromWarc: [join(first.path, 'archive')],
    });
    const { ended } = await crawl.run();
    assert.equal(ended, 'finished');
  });
  assert.equal(tries, 0);

  const [before, after] = [pagesOf(first.path), pagesOf(second.path)];
  assert.deepEqual([...after.keys()], [...before.keys()]);
  const others: string[] = [];
  for (const [url, page] of before) {
    const now = after.get(url);
    // What never was answered is in no archive.
    if (page.ending === 'failed' && now?.ending.includes('"by":"archive"')) others.push(url);
    else assert.deepEqual(now, page);
  }
  assert.ok(others.length < before.size / 5, `${others.length} of ${before.size}`);
  assert.deepEqual(refusalsOf(second.path), refusalsOf(first.path));

  using one = new CrawlReader(first.path);
  using two = new CrawlReader(second.path);
  let texts = 0;
  for (const [url, { ending }] of before) {
    if (!ending.includes('"stored"')) continue;
    texts++;
    const [copy, again] = [await one.get(url), await two.get(url)];
    assert.deepEqual(again.body, copy.body, url);
    assert.equal(await two.textOf(again), await one.textOf(copy), url);
    assert.deepEqual(await two.linksOf(again), await one.linksOf(copy), url);
    assert.equal(again.date, copy.date, url);
  }
  assert.ok(texts > 50, `${texts} texts`);
});
