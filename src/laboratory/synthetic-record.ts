import type { SyntheticWeb } from '../simulate/model/synthetic-web.ts';
import { type ChangeRecord, DAY_MS, type RecordedPage } from './replay/change-record.ts';
import { type RecordedGraph, RecordedGraphBuilder } from './replay/recorded-graph.ts';

/** The pages of a synthetic web and the links that a crawler would follow, without a request. */
export function graphOfWeb(web: SyntheticWeb): RecordedGraph {
  const builder = new RecordedGraphBuilder();
  const pages = htmlPages(web);
  for (let page = 0; page < pages; page++) {
    const nature = web.nature(page, '');
    if (nature.kind === 'redirect') builder.add(page, nature.to);
    if (nature.kind !== 'page' || nature.nofollow) continue;
    for (const { to, nofollow } of web.links(page)) if (to < pages && !nofollow) builder.add(page, to);
  }
  return builder.build(Array.from({ length: pages }, (_, page) => web.url(page)));
}

/** When its pages change in the first days of its time. */
export function changesOfWeb(web: SyntheticWeb, days: number): ChangeRecord {
  const from = web.spec.changesSince;
  const to = from + days * DAY_MS;
  const pages: RecordedPage[] = [];
  for (let page = 0; page < htmlPages(web); page++) {
    if (web.nature(page, '').kind !== 'page') continue;
    pages.push({ url: web.url(page), changes: changesOf(web, page, to) });
  }
  return { pages, from, to };
}

function changesOf(web: SyntheticWeb, page: number, to: number): number[] {
  if (web.changeRate(page) === 0) return [];
  const changes: number[] = [];
  for (let version = 1; ; version++) {
    const at = web.changedAt(page, version);
    if (!(at < to)) return changes;
    changes.push(at);
  }
}

/** Feeds and sitemaps are numbered after the pages. */
function htmlPages({ spec }: SyntheticWeb): number {
  return spec.hosts * spec.pagesPerHost;
}
