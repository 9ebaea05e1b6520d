import type { SearchIndex } from '../../contracts/search-index.ts';
import { anchorSum } from '../../index/format/anchor-sum.ts';
import type { CrawlFolderReader } from './crawl-folder-reader.ts';
import type { ExcludedPages } from './excluded-pages.ts';
import type { FollowedLinks } from './followed-links.ts';
import { isSearchable } from './indexed-page.ts';
import type { RankOf } from './link-ranks.ts';
import type { VisitTaker } from './visit-taker.ts';

const BATCH = 2000;

export interface RefreshParts {
  readonly reader: CrawlFolderReader;
  readonly index: SearchIndex;
  readonly links: FollowedLinks;
  readonly taker: VisitTaker;
  readonly rankOf: RankOf;
  readonly excluded: Pick<ExcludedPages, 'has'>;
  readonly commit: () => Promise<void>;
}

/**
 * Looks at every page once more, at the end of a crawl: those whose rank, anchors or cluster are other than what the index holds
 * are indexed again, and those that are no longer to be found (refused or marked noindex since) are removed. Then the index holds
 * what a rebuild would. Answers how many were changed.
 */
export async function refreshIndex(parts: RefreshParts): Promise<number> {
  const { reader, index, taker } = parts;
  let changed = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    const { again, gone } = await outdated(batch, parts);
    batch = [];
    for (const url of gone) index.remove(url);
    for (const url of again) await taker.takeAgain(url);
    if (again.length + gone.length === 0) return;
    changed += again.length + gone.length;
    await parts.commit();
  };
  for (const url of reader.visitedUrls()) {
    batch.push(url);
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  return changed;
}

async function outdated(urls: readonly string[], parts: RefreshParts): Promise<{ again: string[]; gone: string[] }> {
  const { reader, index, links, rankOf, excluded } = parts;
  const again: string[] = [];
  const gone: string[] = [];
  using snapshot = index.snapshot();
  for (const url of urls) {
    const number = snapshot.find(url);
    if (number === undefined) continue;
    const page = await reader.page(url);
    const { facts, anchorSum: indexed } = snapshot.document(number);
    if (page === undefined || !isSearchable(page) || excluded.has(url)) gone.push(url);
    else if (
      rankOf(url) !== facts.rank ||
      anchorSum(links.anchorsTo(url)) !== indexed ||
      (await reader.clusterOf(page)) !== facts.cluster
    )
      again.push(url);
  }
  return { again, gone };
}
