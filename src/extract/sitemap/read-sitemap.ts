import type { SitemapEntry, SitemapOutcome, SitemapReference } from './sitemap-entry.ts';
import type { SitemapOptions } from './sitemap-options.ts';
import { SitemapReader } from './sitemap-reader.ts';

export interface SitemapBatch {
  readonly entries: readonly SitemapEntry[];
  readonly sitemaps: readonly SitemapReference[];
}

/**
 * Reads a sitemap from pieces of bytes and yields its entries in batches; the value of the generator is the outcome.
 * The source is left as soon as nothing more is wanted of it.
 */
export async function* readSitemap(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: Omit<SitemapOptions, 'onEntries' | 'onSitemaps'>,
): AsyncGenerator<SitemapBatch, SitemapOutcome, void> {
  let entries: SitemapEntry[] = [];
  let sitemaps: SitemapReference[] = [];
  const reader = new SitemapReader({
    ...options,
    onEntries: (batch) => {
      entries = entries.length === 0 ? batch : entries.concat(batch);
    },
    onSitemaps: (batch) => {
      sitemaps = sitemaps.length === 0 ? batch : sitemaps.concat(batch);
    },
  });
  const take = (): SitemapBatch => {
    const batch = { entries, sitemaps };
    entries = [];
    sitemaps = [];
    return batch;
  };
  for await (const bytes of source) {
    const more = reader.push(bytes);
    if (entries.length + sitemaps.length > 0) yield take();
    if (!more) break;
  }
  const outcome = reader.end();
  if (entries.length + sitemaps.length > 0) yield take();
  return outcome;
}
