import type { LinkStore } from '../../contracts/state/link-store.ts';
import { hostRank } from '../../rank/graph/host-rank.ts';
import { pageRank } from '../../rank/graph/page-rank.ts';
import { rankPriors } from '../../rank/graph/prior.ts';
import { readLinkGraph } from '../../rank/graph/read-link-graph.ts';

/** Link rank of a URL as a prior, 0 to 1. */
export type RankOf = (url: string) => number;

/** Steps of the prior: what is lost in them moves no page, and the order in which links came does not show. */
const STEPS = 1000;

/** Rough enough for a prior, which is a logarithm. */
const TOLERANCE = 1e-6;

/** PageRank over all links of the store. What it answers holds some 20 to 40 bytes for each URL. */
export async function linkRanks(store: Pick<LinkStore, 'votes'>): Promise<RankOf> {
  const links = store.votes();
  const graph = await readLinkGraph(links);
  const options = { tolerance: TOLERANCE };
  const { ranks } = pageRank(graph, options);
  const hostOf = links.hostOf;
  const hosts = links.hosts.length;
  const priors = rankPriors(ranks, { hosts: { ranks: hostRank(graph, hostOf, hosts, options).ranks, hostOf } });
  return rankOf(
    Uint16Array.from(priors, (prior) => Math.round(prior * STEPS)),
    links.finder(),
  );
}

/** Outside of `linkRanks`, of which nothing else is held for as long as the ranks are in use. */
function rankOf(steps: Uint16Array, find: (url: string) => number | undefined): RankOf {
  return (url) => {
    const number = find(url);
    return number === undefined ? 0 : steps[number] / STEPS;
  };
}
