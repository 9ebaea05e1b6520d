import { hasLinks, openLinkReader } from '../../engines/open-links.ts';
import { LinkGraphBuilder } from '../../rank/graph/link-graph.ts';
import { pageRank } from '../../rank/graph/page-rank.ts';

/** The visited pages of a crawl and the links between them, by number. */
export interface SiteGraph {
  readonly urls: readonly string[];
  readonly ranks: Float64Array;
  /** Source and target in turn. */
  readonly edges: Uint32Array;
}

/** Undefined where no links were gathered. Takes time in proportion to them. */
export async function loadSiteGraph(folder: string): Promise<SiteGraph | undefined> {
  if (!hasLinks(folder)) return undefined;
  using store = openLinkReader(folder);
  const links = store.edges({ unvisited: false });
  const builder = new LinkGraphBuilder({ nodes: links.pages });
  const batches: Uint32Array[] = [];
  for await (const batch of links.batches()) {
    for (let at = 0; at < batch.length; at += 2) builder.add(batch[at], batch[at + 1]);
    // Each batch is valid until the next is asked for.
    batches.push(batch.slice());
  }
  const edges = new Uint32Array(batches.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const batch of batches) {
    edges.set(batch, end);
    end += batch.length;
  }
  const urls = Array.from({ length: links.pages }, (_, number) => links.url(number) ?? '');
  return { urls, ranks: pageRank(builder.build()).ranks, edges };
}
