import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { type FocusSnapshot, openFocus } from '../../../../src/crawl/learning/open-focus.ts';
import type { PageWork } from '../../../../src/crawl/visit/page-work.ts';
import { topicFeatures } from '../../../../src/rank/topic/topic-features.ts';

const URL_OF_PAGE = 'http://site.test/' as CanonicalUrl;
const work = {
  kind: 'page',
  topic: topicFeatures({ title: 'Spiders', text: 'A jumping spider leaps.', links: [], names: true }),
  links: { fingerprints: new BigUint64Array() },
} as unknown as PageWork;
const visit = (earlier?: Claim['earlier']): Claim => ({ task: { url: URL_OF_PAGE }, earlier }) as unknown as Claim;

test('what a focused crawl has learnt is written at first and after new pages, not after visits again or none', async () => {
  const written: FocusSnapshot[] = [];
  const opened = await openFocus({
    settings: resolveSettings({ overrides: { topic: 'jumping spiders' } }).settings,
    kept: undefined,
    write: (kept) => written.push(kept),
    fetchTexts: async () => new Map(),
    onMissing: () => assert.fail('there are no samples'),
  });
  assert.ok(opened);
  assert.equal(written.length, 1);
  opened.save();
  assert.equal(written.length, 1);
  opened.focus.of(visit(), work);
  opened.save();
  assert.equal(written.length, 2);
  assert.equal(written[1].harvest?.pages, 1);
  opened.focus.of(visit({ digest: 'sha256:1' } as Claim['earlier']), work);
  opened.save();
  assert.equal(written.length, 2);
});
