import type { DocumentFacts, RefreshDocument } from '../../contracts/search-index.ts';
import type { CrawlFolderReader } from './crawl-folder-reader.ts';
import type { ExcludedPages } from './excluded-pages.ts';
import type { FollowedLinks } from './followed-links.ts';
import { isSearchable } from './indexed-page.ts';
import type { RankOf } from './link-ranks.ts';

export interface DocumentRefreshParts {
  readonly reader: Pick<CrawlFolderReader, 'page' | 'clusterOf'>;
  readonly links: Pick<FollowedLinks, 'anchorsTo' | 'hasSameAnchors'>;
  /** Undefined while ranks are not computed: then those of the index stay. */
  readonly ranks: () => RankOf | undefined;
  readonly excluded: Pick<ExcludedPages, 'has'>;
  /** While only anchors are wanted: what the records tell may change again before it is needed, and ranks will. */
  readonly isOfAnchors: () => boolean;
}

/**
 * What the pages of a crawl are by the links and the records of today. Pages that are no longer to be found (refused or marked
 * noindex since) are gone; imported documents stay what they are.
 */
export function documentRefresh({
  reader,
  links,
  ranks,
  excluded,
  isOfAnchors,
}: DocumentRefreshParts): RefreshDocument {
  const factsOf = (
    id: string,
    { rank, cluster }: DocumentFacts,
  ): Pick<DocumentFacts, 'rank' | 'cluster'> | undefined => {
    if (isOfAnchors()) return { rank, cluster };
    const page = reader.page(id);
    if (page === undefined || !isSearchable(page) || excluded.has(id)) return undefined;
    return { rank: ranks()?.(id) ?? rank, cluster: reader.clusterOf(page) };
  };
  return async (id, facts, mark) => {
    if (facts.host === '') return undefined;
    const today = factsOf(id, facts);
    if (today === undefined) return 'gone';
    return {
      ...today,
      hasSameAnchors: links.hasSameAnchors(id, mark),
      // Reading them takes longest, and they are not always asked for.
      get anchors() {
        return links.anchorsTo(id);
      },
    };
  };
}
