import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Link } from '../../../../src/contracts/content/page.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { LinkKeys } from '../../../../src/contracts/frontier.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { LearningJournal } from '../../../../src/crawl/learning/learning-journal.ts';
import { PageClassifier } from '../../../../src/crawl/learning/page-classifier.ts';
import { neverAgain } from '../../../../src/crawl/revisits/revisit-rule.ts';
import type { SettlementRules } from '../../../../src/crawl/settlement/build-settlement.ts';
import { rememberDomains } from '../../../../src/crawl/settlement/domain-of-host.ts';
import { SettlementBuilder } from '../../../../src/crawl/settlement/settlement-builder.ts';
import { packLinks } from '../../../../src/crawl/workers/packed-links.ts';
import type { FinishedWork } from '../../../../src/crawl/workers/worker-pool.ts';
import { breadthFirst } from '../../../../src/rank/orders/plain-orders.ts';

function finished(id: number, urls: readonly string[]): FinishedWork {
  const claim: Claim = {
    id,
    task: {
      ...{ url: `http://a.test/${id}` as CanonicalUrl, host: 'a.test' as HostKey, depth: 0, redirects: 0, lane: 0 },
      ...{ discovery: { how: 'seed' }, purpose: 'page' },
    },
    ...{ tries: 0, claimedAt: 0, dueAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
  };
  const links = urls.map(
    (url): Link => ({ url, kind: 'a', text: '', rel: '', nofollow: false, ugc: false, sponsored: false }),
  );
  // Pages that are read but not kept have links as well, and need little else.
  return { claim, work: { kind: 'refused', by: 'directive', rule: 'noindex', links: packLinks(links, 100) } };
}

test('the frontier is asked once for the links of all pages of a batch; foreign ones are judged with the unknown', async () => {
  const asked: string[][] = [];
  const builder = new SettlementBuilder({
    frontier: {
      unknown: async (pages: readonly LinkKeys[]) => {
        asked.push(pages.map(({ fingerprints, host }) => [...fingerprints.keys()].map(host).join(' ')));
        return pages.map(({ fingerprints }) => ({ unknown: fingerprints.length > 1 ? [1] : [], foreign: [0] }));
      },
    },
    clock: systemClock,
    rules: {
      order: breadthFirst(1),
      revisit: neverAgain,
      filter: { judge: () => ({ admit: true }) },
    } as Partial<SettlementRules> as SettlementRules,
    classifier: new PageClassifier({
      journal: new LearningJournal(systemClock),
      domainOf: rememberDomains(),
      random: Math.random,
    }),
  });
  const batch = [
    finished(1, ['http://b.test/1', 'http://c.test:8080/1', 'https://d.test/']),
    { claim: finished(2, []).claim, work: { kind: 'awaiting-robots' } } as const,
    finished(3, ['http://b.test/2']),
  ];
  const settlements = await builder.of(batch);
  assert.deepEqual(asked, [['b.test c.test:8080 d.test', 'b.test']]);
  assert.deepEqual(
    settlements.map(({ claim, links }) => [claim.id, links?.map(({ url }) => url)]),
    [
      [1, ['http://b.test/1', 'http://c.test:8080/1']],
      [2, undefined],
      [3, ['http://b.test/2']],
    ],
  );
});
