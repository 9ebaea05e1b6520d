import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreView } from '../../src/engines/open-store.ts';
import type { PostgresConnection } from '../../src/engines/postgres/connection.ts';
import { createCrawl } from '../../src/index.ts';
import { serverSeconds } from './process-seconds.ts';

const COMMITS = 101;
const LOOKS = 100;
const PARTITIONS = [16, 4096];

/** How long a commit of one row is waited for. */
export async function medianCommitMs(store: PostgresConnection): Promise<number> {
  const run = (text: string) => store.run([[{ name: '', text }]]);
  await run('CREATE TABLE IF NOT EXISTS probe (id integer PRIMARY KEY, n integer NOT NULL)');
  await run('INSERT INTO probe VALUES (1, 0) ON CONFLICT DO NOTHING');
  const waits: number[] = [];
  for (let at = 0; at < COMMITS; at++) {
    const began = performance.now();
    await store.transact([[{ name: 'probe', text: 'UPDATE probe SET n = n + 1 WHERE id = 1' }]]);
    waits.push(performance.now() - began);
  }
  return waits.sort((a, b) => a - b)[COMMITS >> 1];
}

/** Processor time of PostgreSQL for a look at the cluster, with few partitions and with many: what a beat adds up to. */
export async function measureBeats({
  url,
  process: server,
}: {
  readonly url: string;
  readonly process: number;
}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-beats-'));
  const costs: number[] = [];
  try {
    for (const partitions of PARTITIONS) {
      const store = `${url}&schema=beats_${partitions}`;
      await (
        await createCrawl({
          folder: join(folder, String(partitions)),
          store,
          seeds: ['http://example.org/'],
          partitions,
        })
      )[Symbol.asyncDispose]();
      await using view = await openStoreView(store);
      await view.nodes.view();
      const before = serverSeconds(server);
      for (let at = 0; at < LOOKS; at++) await view.nodes.view();
      // A process tells what it used when it ends, or in ticks of 10 ms.
      costs.push(((serverSeconds(server) - before) * 1000) / LOOKS);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const rowMs = (costs[1] - costs[0]) / (2 * (PARTITIONS[1] - PARTITIONS[0]));
  return `A look at the cluster: ${costs.map((ms, at) => `${ms.toFixed(2)} ms with ${PARTITIONS[at]} partitions`).join(', ')}; ${(rowMs * 1000).toFixed(2)} µs a row that is read.`;
}
