import type { SitemapEntry, SitemapReference, SitemapSkips } from './sitemap-entry.ts';
import { SitemapLocation } from './sitemap-location.ts';
import { defaultSitemapLimits, type SitemapLimits, type SitemapOptions } from './sitemap-options.ts';

const defaultBatchSize = 500;

/** Checks and counts what is found and hands it on in batches, so that no more than one batch is ever held. */
export class EntrySink {
  readonly limits: SitemapLimits;
  readonly #options: SitemapOptions;
  readonly #location: SitemapLocation;
  readonly #batchSize: number;
  #batch: SitemapEntry[] = [];
  #sitemapBatch: SitemapReference[] = [];
  #entries = 0;
  #sitemaps = 0;
  #invalid = 0;
  #outside = 0;
  #beyond = 0;

  constructor(options: SitemapOptions) {
    this.#options = options;
    this.limits = options.limits ?? defaultSitemapLimits;
    this.#location = new SitemapLocation(options.url, this.limits.maxUrlLength);
    this.#batchSize = options.batchSize ?? defaultBatchSize;
  }

  get entries(): number {
    return this.#entries;
  }

  get sitemaps(): number {
    return this.#sitemaps;
  }

  get skipped(): SitemapSkips {
    return { invalid: this.#invalid, location: this.#outside, limit: this.#beyond };
  }

  /** An address of an extension, made absolute. */
  resolve(written: string): string | undefined {
    return this.#location.resolve(written, true);
  }

  addEntry(written: string, facts: Omit<SitemapEntry, 'url'>, mayBeRelative = true): void {
    if (this.#entries >= this.limits.maxEntries) {
      this.#beyond++;
      return;
    }
    const url = this.#location.resolve(written, mayBeRelative);
    if (url === undefined) {
      this.#invalid++;
    } else if (this.#options.strictLocation === true && !this.#location.covers(url)) {
      this.#outside++;
    } else {
      this.#entries++;
      this.#batch.push({ url, ...facts });
      if (this.#batch.length >= this.#batchSize) this.flush();
    }
  }

  addSitemap(written: string, lastModified: number | undefined): void {
    if (this.#sitemaps >= this.limits.maxEntries) {
      this.#beyond++;
      return;
    }
    const url = this.#location.resolve(written, true);
    if (url === undefined) {
      this.#invalid++;
      return;
    }
    this.#sitemaps++;
    this.#sitemapBatch.push(lastModified === undefined ? { url } : { url, lastModified });
    if (this.#sitemapBatch.length >= this.#batchSize) this.flush();
  }

  /** An entry without any address. */
  skip(): void {
    this.#invalid++;
  }

  flush(): void {
    const entries = this.#batch;
    const sitemaps = this.#sitemapBatch;
    this.#batch = [];
    this.#sitemapBatch = [];
    if (entries.length > 0) this.#options.onEntries(entries);
    if (sitemaps.length > 0) this.#options.onSitemaps(sitemaps);
  }
}
