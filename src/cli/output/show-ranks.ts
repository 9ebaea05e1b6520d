import { hits } from '../../rank/graph/hits.ts';
import type { AskedCrawl } from '../arguments/asked-crawl.ts';
import { openAskedLinks } from '../arguments/asked-links.ts';
import { highest, type RankedLinks, rankLinks } from './ranked-links.ts';
import { writeText } from './write-text.ts';

interface Ranked {
  readonly name: string;
  readonly value: number;
}

interface RankLists {
  readonly pages: number;
  readonly links: number;
  readonly pageRank: readonly Ranked[];
  readonly hostRank: readonly Ranked[];
  readonly authorities: readonly Ranked[];
  readonly hubs: readonly Ranked[];
}

export async function showRanks(asked: AskedCrawl, { json, limit }: { json: boolean; limit: number }): Promise<void> {
  using opened = await openAskedLinks(asked);
  const lists = listsOf(await rankLinks(opened.links), limit);
  const text = json ? JSON.stringify(lists) : formatRanks(lists).join('\n');
  writeText(`${text}\n`);
}

function listsOf({ links, graph, ranks, hostRanks }: RankedLinks, limit: number): RankLists {
  const { hubs, authorities } = hits(graph);
  const hosts = links.hosts;
  const top = (values: Float64Array): Ranked[] =>
    highest(values, limit).map((node) => ({ name: links.url(node) ?? `page ${node}`, value: values[node] }));
  return {
    pages: graph.nodes,
    links: graph.edges,
    pageRank: top(ranks),
    hostRank: highest(hostRanks, limit).map((host) => ({ name: hosts[host], value: hostRanks[host] })),
    authorities: top(authorities),
    hubs: top(hubs),
  };
}

function formatRanks({ pages, links, pageRank, hostRank, authorities, hubs }: RankLists): string[] {
  return [
    `${links} links between ${pages} pages`,
    ...section('PageRank', pageRank),
    ...section('hosts', hostRank),
    ...section('authorities (HITS)', authorities),
    ...section('hubs (HITS)', hubs),
  ];
}

function section(title: string, ranked: readonly Ranked[]): string[] {
  return [
    '',
    title,
    ...ranked.map(({ name, value }, at) => `${`${at + 1}`.padStart(4)}  ${value.toFixed(8)}  ${name}`),
  ];
}
