import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { LINKS_AT_ONCE, packBatches, unpackBatch } from '../../../../src/crawl/settlement/link-batch.ts';
import { packLinks, unpackLinks } from '../../../../src/crawl/workers/packed-links.ts';

test('links come back as they were, each with its promise, in batches that are judged in one go', () => {
  const count = 2 * LINKS_AT_ONCE + 500;
  const links = packLinks(
    Array.from({ length: count }, (_, at) => ({
      ...{ url: `http://a.test/${at}`, kind: at % 2 === 0 ? 'a' : 'feed', text: `text ${at}`, rel: `r${at}` },
      ...(at % 7 === 0 ? { entry: { modified: 1000 * at, changeFrequency: 'daily' as const, priority: 0.8 } } : {}),
      ...{ nofollow: at % 3 === 0, ugc: false, sponsored: at % 5 === 0 },
    })),
    100,
  );
  const places = Array.from({ length: count }, (_, at) => at).filter((at) => at % 4 !== 0);
  const promise = Float32Array.from({ length: count }, (_, at) => at);
  const page = { url: 'http://a.test/' as CanonicalUrl, depth: 3 };
  const standing = { doubtful: true, focused: { promise, offTopic: 2, deadEnd: 'off topic' } };
  const batches = packBatches({ page, links, nofollow: 'nofollow', standing }, places).map(unpackBatch);
  assert.deepEqual(
    batches.map((batch) => batch.links.fingerprints.length),
    [LINKS_AT_ONCE, places.length - LINKS_AT_ONCE],
  );
  const all = <T>(of: (batch: (typeof batches)[number]) => Iterable<T>): T[] =>
    batches.flatMap((batch) => [...of(batch)]);
  assert.deepEqual(
    all((batch) => unpackLinks(batch.links, [...batch.links.kinds.keys()])),
    unpackLinks(links, places),
  );
  assert.deepEqual(
    all((batch) => batch.links.fingerprints),
    places.map((place) => links.fingerprints[place]),
  );
  assert.deepEqual(
    all((batch) => batch.standing.focused?.promise ?? []),
    places,
  );
  const { page: from, nofollow, standing: stands } = batches[1];
  assert.deepEqual([from, nofollow, stands.doubtful, stands.focused?.deadEnd], [page, 'nofollow', true, 'off topic']);
});
