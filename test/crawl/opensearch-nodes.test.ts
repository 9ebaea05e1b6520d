import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truth } from '../../src/simulate/model/truth.ts';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { ClusterOfNodes } from '../cluster-of-nodes.ts';
import { OpenSearchServer } from '../opensearch-server.ts';
import { findPostgres, startPostgres } from '../postgres-server.ts';
import { onlyLong } from '../property-runs.ts';

const programs = findPostgres();

test(
  'nodes send the pages of their own archives to one index',
  onlyLong(typeof programs === 'string' ? programs : undefined),
  async () => {
    if (typeof programs === 'string') return;
    await using server = await startPostgres(programs);
    await using index = await OpenSearchServer.start({ index: 'pages' });
    await using web = await startSyntheticWeb({
      ...PLAIN_SHARES,
      ...{ hosts: 6, pagesPerHost: 5, crawlDelaySeconds: 0, retryAfterSeconds: 0, slowRobotsMs: 0 },
    });
    await using cluster = new ClusterOfNodes({
      ...{ web, url: server.url, schema: 'sent', partitions: 8, leaseMs: 60_000, delayMs: 100 },
      settings: { opensearch: index.url },
    });
    await cluster.create();
    const ends = await Promise.all([cluster.join(0), cluster.join(1)].map(({ ended }) => ended));
    for (const { code, stderr } of ends) assert.equal(code, 0, stderr);
    const wanted = truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored').sort();
    assert.deepEqual(index.urls, wanted);
    const again = await cluster.call('opensearch', '--store', cluster.store, '--opensearch', index.url, '--json');
    assert.equal(again.status, 0, again.stderr);
    assert.deepEqual(JSON.parse(again.stdout), { indexed: 0, deleted: 0, superseded: 0, rejected: 0 });
  },
);
