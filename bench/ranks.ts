/**
 * PageRank, HITS and host rank on a generated web: `npx node bench/ranks.ts [--nodes 1000000] [--edges 15000000]`; the
 * store of links with so many pages of 60 links, committed every 500: `npx node bench/ranks.ts --store 166700`.
 * In-degrees follow Zipf's law. Three of four links stay on the host, as on the web, and pages of a host have numbers that
 * lie together, as they have when a crawl numbers them; then the same with numbers dealt at random, which is the worst
 * that an order can do. Edges per second of CPU time are those of one core: nothing here runs on two.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/base/seeded-random.ts';
import type { LinkedPage } from '../src/contracts/state/link-store.ts';
import { SqliteLinkStore } from '../src/engines/links/sqlite-link-store.ts';
import { textTable } from '../src/laboratory/plots/text-table.ts';
import { hits } from '../src/rank/graph/hits.ts';
import { hostRank } from '../src/rank/graph/host-rank.ts';
import { type LinkGraph, LinkGraphBuilder } from '../src/rank/graph/link-graph.ts';
import { pageRank } from '../src/rank/graph/page-rank.ts';

const PAGES_PER_HOST = 200;

export interface RankMeasures {
  readonly order: string;
  readonly edges: number;
  /** Millions of edges per CPU-second. */
  readonly built: number;
  readonly pageRank: number;
  readonly pageRankRounds: number;
  readonly hits: number;
  readonly hostRankSeconds: number;
  readonly bytesPerEdge: number;
}

export function measure(nodes: number, edges: number, shuffled: boolean): RankMeasures {
  const number = shuffled ? dealt(nodes) : undefined;
  const build = cpuSeconds(() => generate(nodes, edges, number));
  const graph = build.result;
  const ranks = cpuSeconds(() => pageRank(graph));
  const hubs = cpuSeconds(() => hits(graph, { maxIterations: 20 }));
  const hosts = Math.ceil(nodes / PAGES_PER_HOST);
  const hostOf = new Uint32Array(nodes);
  for (let node = 0; node < nodes; node++) hostOf[number?.[node] ?? node] = Math.floor(node / PAGES_PER_HOST);
  const ofHosts = cpuSeconds(() => hostRank(graph, hostOf, hosts));
  const million = (rounds: number, seconds: number): number => (graph.edges * rounds) / seconds / 1e6;
  return {
    order: shuffled ? 'dealt at random' : 'by host',
    edges: graph.edges,
    built: edges / build.seconds / 1e6,
    pageRank: million(ranks.result.iterations, ranks.seconds),
    pageRankRounds: ranks.result.iterations,
    // Each round walks the edges twice: to the authorities, and back to the hubs.
    hits: million(2 * hubs.result.iterations, hubs.seconds),
    hostRankSeconds: ofHosts.seconds,
    bytesPerEdge: (graph.sources.byteLength + graph.starts.byteLength + graph.outDegrees.byteLength) / graph.edges,
  };
}

function generate(nodes: number, edges: number, number: Uint32Array | undefined): LinkGraph {
  const random = seededRandom(1);
  const builder = new LinkGraphBuilder({ nodes });
  const perPage = edges / nodes;
  for (let node = 0; node < nodes; node++) {
    // One page in five has no links.
    const links = random() < 0.2 ? 0 : Math.round(perPage * 2.5 * random());
    const host = node - (node % PAGES_PER_HOST);
    for (let link = 0; link < links; link++) {
      const near = random() < 0.75;
      const reach = near ? Math.min(PAGES_PER_HOST, nodes - host) : nodes;
      // exp(u ln n) - 1 is spread as 1/x: Zipf's law with an exponent of 1. Popular pages lie all over the numbers.
      const popularity = Math.floor(reach ** random()) - 1;
      const to = near ? host + popularity : (popularity * 7919) % nodes;
      builder.add(number?.[node] ?? node, number?.[to] ?? to);
    }
  }
  return builder.build();
}

export interface StoreMeasures {
  readonly links: number;
  readonly pagesPerCpuSecond: number;
  /** ms: median, 95 % and most, of 100 in-links and of anchors of random pages. */
  readonly inLinks: readonly [number, number, number];
  readonly anchors: readonly [number, number, number];
  readonly megabytes: number;
}

export async function measureStore(pages: number): Promise<StoreMeasures> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-links-'));
  try {
    using store = new SqliteLinkStore(folder);
    const random = seededRandom(3);
    let seconds = 0;
    for (let first = 0; first < pages; first += 500) {
      const batch = Array.from({ length: Math.min(500, pages - first) }, (_, at) =>
        linkedPage(first + at, pages, random),
      );
      const before = process.cpuUsage();
      for (const page of batch) store.addPage(page);
      await store.commit(first);
      const { user, system } = process.cpuUsage(before);
      seconds += (user + system) / 1e6;
    }
    const inLinks: number[] = [];
    const anchors: number[] = [];
    for (let look = 0; look < 300; look++) {
      const url = urlOf(Math.floor(random() * pages));
      let began = performance.now();
      for await (const _ of store.inLinks(url, { limit: 100 }));
      inLinks.push(performance.now() - began);
      began = performance.now();
      store.anchorsFor(url, 50);
      anchors.push(performance.now() - began);
    }
    return {
      links: store.links,
      pagesPerCpuSecond: pages / seconds,
      inLinks: quantiles(inLinks),
      anchors: quantiles(anchors),
      megabytes: process.memoryUsage().rss / 1e6,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function linkedPage(page: number, pages: number, random: () => number): LinkedPage {
  const host = page - (page % PAGES_PER_HOST);
  const links = Array.from({ length: 60 }, (_, at) => {
    const near = random() < 0.75;
    const popularity = Math.floor((near ? PAGES_PER_HOST : pages) ** random()) - 1;
    const to = near ? host + popularity : (popularity * 7919) % pages;
    const text =
      at < 20 ? `section ${to % PAGES_PER_HOST}` : `words ${Math.floor(5000 ** random())} on page ${to % 5000}`;
    return { url: urlOf(to), text, nofollow: at % 13 === 0 };
  });
  return { url: urlOf(page), host: hostName(page), at: page, links };
}

function hostName(page: number): string {
  return `www.host-${Math.floor(page / PAGES_PER_HOST)}.example.org`;
}

function urlOf(page: number): string {
  return `https://${hostName(page)}/articles/section-${page % 17}/page-about-${page}.html`;
}

function quantiles(values: readonly number[]): [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  return [sorted[Math.floor(sorted.length / 2)], sorted[Math.floor(sorted.length * 0.95)], sorted[sorted.length - 1]];
}

function dealt(nodes: number): Uint32Array {
  const random = seededRandom(2);
  const numbers = Uint32Array.from({ length: nodes }, (_, at) => at);
  for (let at = nodes - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [numbers[at], numbers[other]] = [numbers[other], numbers[at]];
  }
  return numbers;
}

function cpuSeconds<T>(work: () => T): { result: T; seconds: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}

async function showStore(pages: number): Promise<void> {
  const { links, pagesPerCpuSecond, inLinks, anchors, megabytes } = await measureStore(pages);
  console.log(
    textTable({
      columns: ['links', 'pages/CPU-s', 'what', 'median ms', '95 % ms', 'most ms', 'RSS MB'],
      rows: [
        [links, pagesPerCpuSecond, '100 in-links', ...inLinks, megabytes],
        [links, pagesPerCpuSecond, 'anchors', ...anchors, megabytes],
      ],
    }),
  );
}

function showRanks(nodes: number, edges: number): void {
  const rows = [false, true].map((shuffled) => measure(nodes, edges, shuffled));
  console.log(
    textTable({
      columns: ['order', 'edges', 'built M/s', 'PageRank M/s', 'rounds', 'HITS M/s', 'host rank s', 'bytes/edge'],
      rows: rows.map((row) => [
        ...[row.order, row.edges, row.built, row.pageRank, row.pageRankRounds, row.hits, row.hostRankSeconds],
        row.bytesPerEdge,
      ]),
    }),
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string', default: '1000000' },
      edges: { type: 'string', default: '15000000' },
      store: { type: 'string' },
    },
  });
  if (values.store === undefined) showRanks(Number(values.nodes), Number(values.edges));
  else await showStore(Number(values.store));
}
