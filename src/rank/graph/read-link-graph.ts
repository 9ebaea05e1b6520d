import type { LinkVotes } from '../../contracts/state/link-store.ts';
import { type LinkGraph, LinkGraphBuilder } from './link-graph.ts';

/** The links of a store as a graph. */
export async function readLinkGraph(links: LinkVotes): Promise<LinkGraph> {
  const builder = new LinkGraphBuilder({ nodes: links.pages });
  for await (const batch of links.batches()) builder.addAll(batch);
  return builder.build();
}
