import type { WebSpecOverrides } from '../../src/simulate/model/web-spec.ts';

/**
 * Pages like those of today's web, with all that a crawler can get wrong and nothing that makes it wait: what asks for
 * patience (Crawl-delay, Retry-After, slow files, errors worth another try) would measure the waiting.
 */
export function todaysWeb(pagesPerHost: number): WebSpecOverrides {
  return {
    seed: 50,
    hosts: 50,
    pagesPerHost,
    linksPerPage: 60,
    pageBytes: [20_000, 200_000],
    pages: { broken: 0, tooManyRequests: 0, unavailable: 0 },
    robots: { crawlDelay: 0, slow: 0 },
  };
}
