import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { PageWeights } from '../../../../src/crawl/revisits/page-weights.ts';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

const url = (name: string): CanonicalUrl => `http://site.test/${name}` as CanonicalUrl;

test('pages matter by links and by clicks, as soon as either is known', async () => {
  using folder = temporaryFolder();
  const clock = new VirtualClock();
  using weights = new PageWeights(folder.path, clock);
  assert.deepEqual(weights.of(url('a')), {}, 'nothing is known');

  {
    using store = new SqliteLinkStore(folder.path);
    for (const from of ['p', 'q', 'r', 's', 't']) {
      const link = { url: url('popular'), text: 'popular', nofollow: false };
      store.addPage({ url: url(from), host: 'site.test', at: clock.now(), links: [link] });
    }
    await store.commit();
  }
  const lines = Array.from({ length: 4 }, () =>
    JSON.stringify({ at: new Date(clock.now()).toISOString(), url: url('a') }),
  );
  writeFileSync(
    join(folder.path, 'clicks.jsonl'),
    `${lines.join('\n')}\nnonsense\n${JSON.stringify({ at: new Date(clock.now()).toISOString(), url: url('b') })}\n`,
  );
  assert.deepEqual(weights.of(url('a')), {}, 'looked at once a minute');
  clock.advance(60_000);
  const { importance = 0, opened = 0 } = weights.of(url('popular'));
  assert.ok(importance > (weights.of(url('nobody')).importance ?? 0));
  assert.equal(opened, 0);
  assert.ok((weights.of(url('a')).opened ?? 0) > (weights.of(url('b')).opened ?? 0));
});
