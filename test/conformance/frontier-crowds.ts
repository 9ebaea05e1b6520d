import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settled, task, type WithFrontier } from './opened-frontier.ts';

/** What every engine does with links and URLs that come in crowds. */
export function crowdConformance(name: string, withFrontier: WithFrontier): void {
  describe(`Frontier, crowds of links: ${name}`, () => {
    test('links that a settlement leaves to be judged outlive a crash, and are given until they are settled', () =>
      withFrontier({}, async (opened, clock) => {
        await opened.frontier.add([task('http://a.test/')]);
        const [claim] = await opened.frontier.claim(1);
        const linkBatches = [Uint8Array.of(1), Uint8Array.of(2)];
        await opened.frontier.settle([settled(claim, clock, { linkBatches })]);
        const { frontier, close } = await opened.crash();
        const first = await frontier.nextLinkBatch();
        assert.deepEqual([[...(first?.links ?? [])], first?.waiting], [[1], 2]);
        assert.ok(first !== undefined);
        const refusals = [{ task: task('http://b.test/'), by: 'scope' as const, rule: 'elsewhere' }];
        const found = { links: [task('http://a.test/1')], refusals };
        await frontier.settleLinkBatch(first, found);
        // Told twice, it counts once.
        await frontier.settleLinkBatch(first, { links: [task('http://a.test/2')], refusals: [] });
        const counts = await frontier.counts();
        assert.deepEqual([counts.known, counts.queued], [2, 1]);
        const second = await frontier.nextLinkBatch();
        assert.deepEqual([[...(second?.links ?? [])], second?.waiting], [[2], 1]);
        assert.ok(second !== undefined);
        await frontier.settleLinkBatch(second, { links: [], refusals: [] });
        assert.equal(await frontier.nextLinkBatch(), undefined);
        await close();
      }));

    test('new pages of a leased host can be settled along with its claim, without a request', () =>
      withFrontier({}, async ({ frontier, pages }) => {
        const urls = [1, 2, 3, 4].map((n) => `http://a.test/${n}`);
        await frontier.add([...urls.map((url) => task(url)), task('http://b.test/')]);
        const claim = (await frontier.claim(2)).find(({ task: { host } }) => host === 'a.test');
        assert.ok(claim !== undefined);
        const along = await frontier.claimAlong(claim, 2);
        assert.deepEqual(
          along.map(({ task: { url } }) => url),
          urls.slice(1, 3),
        );
        const refused = { kind: 'refused', by: 'robots', rule: 'Disallow: /' } as const;
        await frontier.settle([{ claim: along[0], outcome: refused }]);
        const { queued, leased } = await frontier.counts();
        assert.deepEqual([queued, leased], [4, 2]);
        assert.deepEqual((await pages.page(along[0].task.url))?.outcome, refused);
        await frontier.settle([{ claim, outcome: refused }]);
        // The lease has ended: who comes along with it comes too late, and keeps its place.
        await frontier.settle([{ claim: along[1], outcome: refused }]);
        assert.equal((await frontier.counts()).queued, 3);
        assert.equal((await pages.page(along[1].task.url))?.state, 'queued');
        assert.equal((await frontier.claim(1))[0].task.url, along[1].task.url);
      }));
  });
}
