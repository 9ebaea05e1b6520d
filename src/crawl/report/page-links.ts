import type { ArchivedDocument } from '../../contracts/archive.ts';
import type { Link } from '../../contracts/content/page.ts';
import { DEFAULT_CONVERSION_LIMITS } from '../../convert/documents/conversion-budget.ts';
import { createResolver } from '../../url/resolver.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import { ContentExtractor } from '../content/content-extractor.ts';
import { DocumentConverter } from '../content/document-converter.ts';
import { DocumentReader } from '../content/document-reader.ts';

/** A link to a page, and the page that holds it. */
export interface AnchorIn {
  readonly from: string;
  /** When that page was fetched. */
  readonly at: number;
  readonly text: string;
  readonly rel: string;
  readonly nofollow: boolean;
}

/** The columns "links" and "anchors in" of the page table, read from the archive: what a page says is its body. */
export class PageLinks implements AsyncDisposable {
  readonly #urlOptions: UrlOptions;
  readonly #reader: DocumentReader;
  readonly #converter = new DocumentConverter(DEFAULT_CONVERSION_LIMITS);
  readonly #extractor = new ContentExtractor({ converter: this.#converter, text: true });

  constructor(urlOptions: UrlOptions) {
    this.#urlOptions = urlOptions;
    this.#reader = new DocumentReader({
      resolver: (base) => {
        const resolver = createResolver(base, urlOptions);
        return (reference) => resolver.resolve(reference);
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#converter[Symbol.asyncDispose]();
  }

  /** Of a page, a PDF, an Office file, a feed, a sitemap. */
  async of({ body, url: own, address: url = own, rawHeaders }: ArchivedDocument): Promise<readonly Link[]> {
    const read = this.#reader.read(body, url, contentTypeOf(rawHeaders));
    if (read.page !== undefined) return read.page.links;
    const order = { isSitemap: false, leaseEndsAt: Number.POSITIVE_INFINITY };
    const extracted = await this.#extractor.of(read, body, url, order);
    const resolver = createResolver(url, this.#urlOptions);
    return (extracted?.links ?? []).flatMap(({ url: reference, text, kind, rel = '' }): Link[] => {
      const target = resolver.resolve(reference);
      return target === undefined
        ? []
        : [{ url: target, kind, text, rel, nofollow: false, ugc: false, sponsored: false }];
    });
  }

  /** Looks through the documents, so it takes time in proportion to them; of one page each anchor text once. */
  async *anchorsTo(url: string, documents: AsyncIterable<ArchivedDocument>): AsyncGenerator<AnchorIn> {
    for await (const document of documents) {
      if (document.url === url) continue;
      const told = new Set<string>();
      for (const { url: target, text, rel, nofollow } of await this.of(document)) {
        if (target !== url || told.has(text)) continue;
        told.add(text);
        yield { from: document.url, at: document.date, text, rel, nofollow };
      }
    }
  }
}

function contentTypeOf(rawHeaders: readonly string[]): string | undefined {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
  return at === -1 ? undefined : rawHeaders[at + 1];
}
