import assert from 'node:assert/strict';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WARCParser } from 'warcio';
import { CrawlReader } from '../../src/index.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { crawlWeb, temporaryFolder } from './crawl-web.ts';

test('a second tool reads the WARCs, and get returns the bodies the server sent', async () => {
  await using web = await startSyntheticWeb({
    hosts: 4,
    pagesPerHost: 25,
    seed: 6,
    retryAfterSeconds: 0,
    crawlDelaySeconds: 0,
  });
  using folder = temporaryFolder();
  await crawlWeb(web, folder.path);
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored');

  const seen = new Set<string>();
  const archive = join(folder.path, 'archive');
  for (const file of readdirSync(archive).filter((name) => name.endsWith('.warc.gz'))) {
    for await (const record of new WARCParser(createReadStream(join(archive, file)))) {
      await record.readFully(false);
      if (record.warcType === 'response' || record.warcType === 'revisit') seen.add(record.warcTargetURI ?? '');
    }
  }
  for (const url of expected) assert.ok(seen.has(url), url);

  using reader = new CrawlReader(folder.path);
  for (const url of expected) {
    const { host, pathname, search } = new URL(url);
    const document = await reader.get(url);
    const at = web.web.hosts.find(host);
    const located = web.web.locate(at, `${pathname}${search}`);
    const reply = web.web.reply(at, located, { before: 1, now: 0 });
    assert.deepEqual(Buffer.from(document.body), Buffer.from(reply.body, 'latin1'), url);
  }
});
