import type { SearchService } from '../../contracts/search-service.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import type { CrawlWatch } from '../dashboard/crawl-watch.ts';
import { type Api, addOperation, NotHere } from './api-operation.ts';
import * as schemas from './schemas.ts';

export interface ReadingParts {
  readonly search: SearchService;
  /** Absent where no crawl stands behind the index. */
  readonly crawl?: Pick<CrawlReader, 'explain' | 'hosts' | 'pages'>;
  readonly watch?: CrawlWatch;
}

/** What can be read of a crawl, as JSON. */
export function addReadingOperations(
  api: Api,
  { search, crawl, watch }: ReadingParts,
  absent = 'No crawl stands behind this index.',
): void {
  const ofCrawl = <T>(part: T | undefined): T => {
    if (part === undefined) throw new NotHere(absent);
    return part;
  };
  addOperation(api, {
    ...({ method: 'get', path: '/search', tag: 'Reading' } as const),
    summary: 'Documents that match a query, best first',
    ...{ query: schemas.SearchQuery, answer: schemas.SearchResults },
    run: ({ query: { q, page, perPage, facets, unfolded, exact }, signal }) =>
      search.search(
        { query: q, page, perPage, facets: facets === '1', unfolded: unfolded === '1', exactWords: exact === '1' },
        signal,
      ),
  });
  addOperation(api, {
    ...({ method: 'get', path: '/complete', tag: 'Reading' } as const),
    summary: 'Completions of what somebody is typing',
    ...{ query: schemas.CompleteQuery, answer: schemas.Completions },
    run: async ({ query: { q, limit }, signal }) => ({
      query: q,
      completions: await search.complete(q, limit, signal),
    }),
  });
  addOperation(api, {
    ...({ method: 'get', path: '/score', tag: 'Reading' } as const),
    summary: 'Why a document ranks where it does for a query',
    ...{ query: schemas.ScoreQuery, answer: schemas.Score },
    run: async ({ query: { q, id }, signal }) => {
      const score = await search.explainScore(q, id, signal);
      if (score === undefined) throw new NotHere('No such document is in the index.');
      return { query: q, id, score };
    },
  });
  addOperation(api, {
    ...({ method: 'get', path: '/explain', tag: 'Reading' } as const),
    summary: 'The whole story of a URL: where it was found, what was decided and by which rule, when it comes next',
    ...{ query: schemas.UrlQuery, answer: schemas.UrlExplanation },
    run: ({ query: { url } }) => ofCrawl(crawl).explain(url),
  });
  addOperation(api, {
    ...({ method: 'get', path: '/status', tag: 'Reading' } as const),
    summary: 'How the crawl stands',
    answer: schemas.Status,
    run: () => ofCrawl(watch).look(),
  });
  addOperation(api, {
    ...({ method: 'get', path: '/hosts', tag: 'Reading' } as const),
    summary: 'The hosts with the longest queues',
    ...{ query: schemas.HostsQuery, answer: schemas.Hosts },
    run: ({ query: { limit } }) => ({ hosts: ofCrawl(crawl).hosts(limit) }),
  });
  addOperation(api, {
    ...({ method: 'get', path: '/pages', tag: 'Reading' } as const),
    summary: 'Every visited URL, a part at a time, in no order of meaning',
    ...{ query: schemas.PagesQuery, answer: schemas.Pages },
    run: ({ query: { limit, after, outcome } }) => {
      const pages = [
        ...ofCrawl(crawl).pages({
          limit,
          ...(after === undefined ? {} : { after: after as CanonicalUrl }),
          ...(outcome === undefined ? {} : { outcomes: [outcome] }),
        }),
      ];
      return { pages, ...(pages.length === limit ? { next: pages[pages.length - 1].url } : {}) };
    },
  });
}
