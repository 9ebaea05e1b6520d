import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { FetchResult } from '../../../../src/contracts/fetcher.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { DEFAULT_CONVERSION_LIMITS } from '../../../../src/convert/documents/conversion-budget.ts';
import { ContentExtractor } from '../../../../src/crawl/content/content-extractor.ts';
import { DocumentConverter } from '../../../../src/crawl/content/document-converter.ts';
import { openReader } from '../../../../src/crawl/content/page-reader.ts';
import { PageReading } from '../../../../src/crawl/content/page-reading.ts';
import { ProbeRequests } from '../../../../src/crawl/visit/probe-requests.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';

class CountingConverter extends DocumentConverter {
  reads = 0;

  override read(...given: Parameters<DocumentConverter['read']>): ReturnType<DocumentConverter['read']> {
    this.reads++;
    return super.read(...given);
  }
}

test('a probe that is answered with a monster does not hold up the hosts of its thread', async () => {
  const options = { resources: false, maxLinks: 1000, agent: 'orbweaver', urlOptions: defaultUrlOptions };
  await using converter = new CountingConverter({ ...DEFAULT_CONVERSION_LIMITS, maxMs: 600_000 });
  const probes = new ProbeRequests({
    reading: new PageReading(openReader(options), converter, options),
    extractor: new ContentExtractor({ converter, text: true }),
    clock: systemClock,
  });
  const url = 'http://a.test/no-such-page' as CanonicalUrl;
  const task = { url, host: 'a.test' as HostKey, depth: 0, redirects: 0, lane: 0, purpose: 'probe' as const };
  const claim: Claim = {
    ...{ id: 1, task: { ...task, discovery: { how: 'link' } }, tries: 0, claimedAt: 0, dueAt: 0 },
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
  const body = Buffer.from(`<title>Monster</title>${'<p>some words of it</p>'.repeat(60_000)}`);
  const head = {
    ...{ status: 200, statusText: 'OK', httpVersion: '1.1', rawHeaders: ['content-type', 'text/html'] },
    header: (name: string) => (name === 'content-type' ? 'text/html' : undefined),
  };
  const exchange = { startedAt: 0, endedAt: 0, address: '127.0.0.1', requestHead: '' };
  const result: FetchResult = { kind: 'response', head, exchange, raw: body, body };
  const work = await probes.work(claim, result);
  assert.equal(converter.reads, 1);
  assert.equal(work.kind === 'probe' && work.answer.title, 'Monster');
});
