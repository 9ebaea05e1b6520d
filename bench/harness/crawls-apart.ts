import { setTimeout } from 'node:timers/promises';
import { truth } from '../../src/simulate/model/truth.ts';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { ClusterOfNodes } from '../../test/cluster-of-nodes.ts';
import { LOOK_EVERY_MS, type NodesRun, WARM_FROM, WARM_TO } from './crawl-with-nodes.ts';
import { endedChildrenSeconds, processSeconds, serverSeconds } from './process-seconds.ts';

export interface CrawlsApart {
  readonly pages: number;
  /** CPU-ms a request of nodes that have compiled what they run: by the requests of each, as for the nodes of one crawl. */
  readonly warmNodeMs: number;
  /** CPU-ms a page with starts and ends. */
  readonly nodeMs: number;
  readonly databaseMs: number;
}

/**
 * As many crawls at once, each of a web of its own by one node, over one database: what it costs that so many processes share the
 * machine, without anything that nodes do for each other.
 */
export async function crawlsApart(
  run: NodesRun,
  database: { readonly url: string; readonly schema: string; readonly process: number },
): Promise<CrawlsApart> {
  const [server, ended] = [serverSeconds(database.process), endedChildrenSeconds()];
  const all = await Promise.all(
    Array.from({ length: run.nodes }, async (_, at) => {
      const schema = `${database.schema}_${at}`;
      await using web = await startSyntheticWeb({ ...PLAIN_SHARES, ...run.web, seed: (run.web.seed ?? 0) + at });
      const { partitions } = run;
      await using cluster = new ClusterOfNodes({
        ...{ web, url: database.url, schema, partitions, leaseMs: 60_000, delayMs: 0 },
      });
      await cluster.create();
      const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored').length;
      const node = cluster.join(0, '--concurrency', String(run.concurrency));
      const over = new AbortController();
      const end = node.ended.finally(() => over.abort());
      const used: { readonly seconds: number; readonly requests: number }[] = [];
      for (const share of [WARM_FROM, WARM_TO]) {
        while (web.log.length < share * expected && !over.signal.aborted)
          await setTimeout(LOOK_EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
        used.push({ seconds: processSeconds([node.child.pid]), requests: web.log.length });
      }
      const { stdout, stderr } = await end;
      if (stdout === '') throw new Error(stderr);
      const { pages } = JSON.parse(stdout) as { pages: number };
      if (pages !== expected) throw new Error(`${pages} pages instead of ${expected}`);
      return { pages, seconds: used[1].seconds - used[0].seconds, requests: used[1].requests - used[0].requests };
    }),
  );
  const sum = (key: 'pages' | 'seconds' | 'requests'): number => all.reduce((total, one) => total + one[key], 0);
  const [pages, perPage] = [sum('pages'), (seconds: number) => (1000 * seconds) / sum('pages')];
  return {
    pages,
    warmNodeMs: (1000 * sum('seconds')) / sum('requests'),
    nodeMs: perPage(endedChildrenSeconds() - ended),
    databaseMs: perPage(serverSeconds(database.process) - server),
  };
}
