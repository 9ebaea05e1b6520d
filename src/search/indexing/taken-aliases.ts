import type { CrawlFolderReader } from './crawl-folder-reader.ts';
import type { PageAliases } from './page-aliases.ts';

/**
 * Adds the aliases of a crawl whose visits lie before a place. The record of the crawl is ahead of the index: an alias that is
 * known too early would be forgotten without a trace where the URL has become a page of its own before its turn comes.
 */
export function addTakenAliases(
  aliases: PageAliases,
  reader: CrawlFolderReader,
  placeOf: (file: string) => number,
): void {
  for (const [alias, original] of reader.aliases()) {
    const location = reader.page(alias)?.facts?.location;
    if (location === undefined || location.offset < placeOf(location.file)) aliases.add(alias, original);
  }
}
