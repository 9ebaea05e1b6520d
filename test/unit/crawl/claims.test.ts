import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim } from '../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../../src/contracts/url.ts';
import { Claims } from '../../../src/crawl/claims.ts';

function claimOf(id: number): Claim {
  return {
    id,
    task: {
      ...{ url: `http://a.test/${id}` as CanonicalUrl, host: 'a.test' as HostKey, depth: 0, redirects: 0, lane: 0 },
      discovery: { how: 'seed' },
      purpose: 'page',
    },
    ...{ tries: 0, claimedAt: 0, dueAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
  };
}

test('few URLs go along with the next of a host that forbade one, and more where most of them were forbidden', async () => {
  let last = 0;
  const asked: number[] = [];
  const claims = new Claims({
    frontier: {
      claim: async () => [claimOf(++last)],
      claimAhead: async () => [],
      claimAlong: async (_, max) => {
        asked.push(max);
        return Array.from({ length: max }, () => claimOf(++last));
      },
      release: async () => {},
      parkHosts: async () => {},
      unresolvedHosts: async () => [],
      setAddresses: async () => {},
    },
    holds: () => undefined,
  });
  /** One visit that is forbidden, with this share of what went along. */
  const visit = async (share: number): Promise<number> => {
    const [claim] = (await claims.take(1)).asked;
    const along = claim.along?.map((_, at) => (at < share * (claim.along?.length ?? 0) ? 'Disallow: /' : null));
    const work = { kind: 'refused', by: 'robots', rule: 'Disallow: /', ...(along && { along }) } as const;
    return claims.ended([{ claim, work }]).length;
  };
  assert.equal(await visit(1), 1, 'nothing is known of the host');
  assert.equal(await visit(1), 9);
  await visit(1);
  await visit(1);
  await visit(1);
  await visit(0.1);
  await visit(1);
  assert.deepEqual(asked, [8, 64, 512, 512, 512, 8]);
  const [claim] = (await claims.take(1)).asked;
  claims.ended([{ claim, work: { kind: 'awaiting-robots' } }]);
  assert.equal((await claims.take(1)).asked[0].along, undefined, 'one that was let in ends it');
});
