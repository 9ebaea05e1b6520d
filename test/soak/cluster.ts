import { parseArgs } from 'node:util';
import { audit } from '../../src/simulate/audit/audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { ClusterOfNodes, type RunningNode } from '../cluster-of-nodes.ts';
import { findPostgres, startPostgres } from '../postgres-server.ts';

/**
 * Crawls synthetic webs with several nodes, one after the other, while nodes are killed, held past their lease, stopped and started again,
 * and judges each by the log of its servers: npm run soak:cluster -- --minutes 30 --nodes 4
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    nodes: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const until = Date.now() + Number(values.minutes) * 60_000;
const count = Number(values.nodes);
const DELAY = 200;
const LEASE = 4000;
const MOST_ROUND_MS = 5 * 60_000;

const programs = findPostgres();
if (typeof programs === 'string') throw new Error(programs);
await using server = await startPostgres(programs);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let failed = 0;
for (let round = 0, seed = Number(values.seed); Date.now() < until; round++, seed++) {
  await using web = await startSyntheticWeb({
    ...{ hosts: 24, pagesPerHost: 40, crawlDelaySeconds: 0.2, retryAfterSeconds: 1, slowRobotsMs: 50, seed },
    pageBytes: [1_000, 16_000],
  });
  await using cluster = new ClusterOfNodes({
    ...{ web, url: server.url, schema: `soak_${round}`, partitions: 16 * count, leaseMs: LEASE, delayMs: DELAY },
    settings: { totalTimeout: 3000 },
  });
  await cluster.create();
  const nodes: RunningNode[] = Array.from({ length: count }, (_, at) => cluster.join(at));
  const faults = { killed: 0, held: 0, stopped: 0 };
  const problems: string[] = [];
  const over = Promise.all([0, 1].map((at) => nodes[at]?.ended));
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  const limit = Date.now() + MOST_ROUND_MS;
  // The first two are left alone, so that somebody goes on; the others come and go.
  for (let turn = 0; !isOver && Date.now() < limit; turn++) {
    await Promise.race([over, pause(2000 + ((seed * 7919 + turn * 104_729) % 4000))]);
    if (isOver || count < 3) continue;
    const at = 2 + (turn % (count - 2));
    const fault = (['killed', 'held', 'stopped'] as const)[(turn + seed) % 3];
    faults[fault]++;
    if (fault === 'held') {
      nodes[at].child.kill('SIGSTOP');
      await Promise.race([over, pause(LEASE * 1.5)]);
      nodes[at].child.kill('SIGCONT');
      continue;
    }
    nodes[at].child.kill(fault === 'killed' ? 'SIGKILL' : 'SIGTERM');
    const { code, stderr } = await nodes[at].ended;
    if (fault === 'stopped' && code !== 0 && code !== 130) problems.push(`stopped with ${code}: ${stderr}`);
    nodes[at] = cluster.join(at);
  }
  if (!isOver) problems.push(`not over after ${MOST_ROUND_MS} ms: ${JSON.stringify(await cluster.view())}`);
  for (const { code, stderr } of isOver ? await Promise.all(nodes.map(({ ended }) => ended)) : [])
    if (code !== 0) problems.push(`ended with ${code}: ${stderr}`);
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  const pages = await cluster.pages();
  const wanted = new Set(expected.urls('stored'));
  const missed = [...wanted].filter((url) => !pages.has(url));
  const unexpected = [...pages.keys()].filter((url) => !wanted.has(url));
  const twice = [...pages].filter(([, times]) => times !== 1);
  const report = audit(web.log, expected, { minGapMs: DELAY, toleranceMs: 0, maxWasted: Number.POSITIVE_INFINITY });
  const failures = report.failures.filter((name) => name !== 'repeated');
  if (missed.length + unexpected.length + twice.length + failures.length > 0)
    problems.push(JSON.stringify({ missed, unexpected, twice, failures }));
  failed += problems.length > 0 ? 1 : 0;
  const sum = `${pages.size} pages, ${web.log.length} requests, ${JSON.stringify(faults)}`;
  process.stdout.write(`round ${round} (seed ${seed}): ${problems.length === 0 ? 'ok' : 'FAILED'}, ${sum}\n`);
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
}
process.exitCode = failed > 0 ? 1 : 0;
