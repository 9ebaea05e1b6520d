import type { LinkVotes } from '../../contracts/state/link-store.ts';
import { type LinkGraph, LinkGraphBuilder } from './link-graph.ts';

/** The links of a store as a graph. */
export async function readLinkGraph(links: LinkVotes): Promise<LinkGraph> {
  const builder = new LinkGraphBuilder({ nodes: links.pages });
  for await (const batch of links.batches())
    for (let at = 0; at < batch.length; at += 2) builder.add(batch[at], batch[at + 1]);
  return builder.build();
}
