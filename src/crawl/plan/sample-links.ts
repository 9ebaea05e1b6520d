import type { Link } from '../../contracts/content/page.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import { createResolver } from '../../url/resolver.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import { readSitemapList } from '../content/list-reader.ts';
import type { CrawlReader } from '../report/crawl-reader.ts';
import { PageLinks } from '../report/page-links.ts';

/** The links of what a sample has stored, of pages and of sitemaps. */
export class SampleLinks implements AsyncDisposable {
  readonly #reader: CrawlReader;
  readonly #urlOptions: UrlOptions;
  readonly #followNofollow: boolean;
  readonly #links: PageLinks;

  constructor(reader: CrawlReader, urlOptions: UrlOptions, followNofollow: boolean) {
    this.#reader = reader;
    this.#urlOptions = urlOptions;
    this.#followNofollow = followNofollow;
    this.#links = new PageLinks(urlOptions);
  }

  async of({ url, discovery }: CrawlTask): Promise<readonly Link[]> {
    const { page } = await this.#reader.explain(url);
    const closed = page?.facts?.directives.some((directive) => /\b(?:nofollow|none)\b/i.test(directive)) ?? false;
    if (closed && !this.#followNofollow) return [];
    const document = await this.#reader.get(url);
    if (discovery.how !== 'sitemap-file') return await this.#links.of(document);
    const { links } = await readSitemapList(document.body, url, page?.facts?.mediaType ?? '');
    const resolver = createResolver(url, this.#urlOptions);
    return links.flatMap(({ url: reference, text, kind, rel = '' }): Link[] => {
      const target = resolver.resolve(reference);
      if (target === undefined) return [];
      return [{ url: target, kind, text, rel, nofollow: false, ugc: false, sponsored: false }];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#links[Symbol.asyncDispose]();
  }
}
