import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ContentSketch } from '../../../../src/contracts/content/content-sketch.ts';
import type { ListEntry } from '../../../../src/contracts/content/page.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { PageWork } from '../../../../src/crawl/visit/page-work.ts';
import { packLinks } from '../../../../src/crawl/workers/packed-links.ts';
import { decodeClaims, decodeWorks, encodeClaims, encodeWorks } from '../../../../src/crawl/workers/thread-messages.ts';

const use = { fetchMs: 12, bytes: 3400, endedAt: 1_700_000_000_000 };
const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((some) => some.replace(/\s/g, ' '));

const entry: fc.Arbitrary<ListEntry> = fc.record(
  {
    modified: fc.nat(),
    changeFrequency: fc.constantFrom('always' as const, 'never' as const),
    priority: fc.double({ min: 0, max: 1, noNaN: true }),
    mark: fc.nat({ max: 2 ** 32 - 1 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const links = fc.array(fc.tuple(fc.webUrl(), text, fc.boolean(), fc.option(entry)), { maxLength: 8 }).map((some) =>
  packLinks(
    some.map(([url, anchor, nofollow, said]) => ({
      ...(said === null ? {} : { entry: said }),
      url,
      kind: 'a' as const,
      text: anchor,
      rel: nofollow ? 'nofollow' : '',
      nofollow,
      ugc: false,
      sponsored: false,
    })),
    200,
  ),
);

const contentSketch: fc.Arbitrary<ContentSketch> = fc.record(
  {
    simhash: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    sketch: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    shingles: fc.nat(),
  },
  { noNullPrototype: true },
);

const work: fc.Arbitrary<PageWork> = fc.oneof(
  fc.constant<PageWork>({ kind: 'awaiting-robots' }),
  text.map((detail): PageWork => ({ kind: 'failed', code: 'reset', detail, use })),
  fc.tuple(links, fc.boolean()).map(
    ([some, kept]): PageWork => ({
      kind: 'refused',
      by: 'directive',
      rule: 'noindex',
      use,
      ...(kept ? { links: some } : {}),
    }),
  ),
  fc.tuple(links, fc.option(contentSketch, { nil: undefined }), text).map(
    ([some, like, title]) =>
      ({
        kind: 'page',
        ending: { kind: 'stored' },
        facts: { status: 200, mediaType: 'text/html', title, bytes: 10 },
        location: { file: 'a.warc.gz', offset: 0, length: 10, fileEnd: 20, indexEnd: 30 },
        links: some,
        use,
        ...(like === undefined ? {} : { contentSketch: like }),
      }) as unknown as PageWork,
  ),
  fc.option(contentSketch, { nil: undefined }).map(
    (like): PageWork => ({
      kind: 'probe',
      answer: { status: 200, words: 7 },
      ...(like === undefined ? {} : { contentSketch: like }),
      use,
    }),
  ),
);

test('whatever pages bring back crosses from thread to thread unchanged', () => {
  fc.assert(
    fc.property(fc.array(work, { maxLength: 12 }), (works) => {
      const done = works.map((one, id) => ({ id, work: one }));
      assert.deepEqual(decodeWorks(structuredClone(encodeWorks(done))), done);
    }),
    { numRuns: 200 },
  );
});

test('claims cross without the fingerprints of their URLs', () => {
  const claim = {
    id: 7,
    task: { url: 'http://a.example/', host: 'a.example', depth: 1, redirects: 0, lane: 1, discovery: { how: 'link' } },
    tries: 0,
    claimedAt: 1,
    dueAt: 1,
    expiresAt: 2,
  } as unknown as Claim;
  assert.deepEqual(decodeClaims(encodeClaims([claim])), [claim]);
  const known: Claim = { ...claim, task: { ...claim.task, fingerprint: 5n } };
  assert.deepEqual(decodeClaims(encodeClaims([claim, known])), [claim, claim]);
});
