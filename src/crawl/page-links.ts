import type { ArchivedDocument } from '../contracts/archive.ts';
import type { Link } from '../contracts/page.ts';
import { createResolver } from '../url/resolver.ts';
import type { UrlOptions } from '../url/url-options.ts';
import { DocumentReader } from './document-reader.ts';

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
export class PageLinks {
  readonly #reader: DocumentReader;

  constructor(urlOptions: UrlOptions) {
    this.#reader = new DocumentReader({
      resolver: (base) => {
        const resolver = createResolver(base, urlOptions);
        return (reference) => resolver.resolve(reference);
      },
    });
  }

  of(document: ArchivedDocument): readonly Link[] {
    return this.#reader.read(document.body, document.url, contentTypeOf(document)).page?.links ?? [];
  }

  /** Looks through the documents, so it takes time in proportion to them; of one page each anchor text once. */
  async *anchorsTo(url: string, documents: AsyncIterable<ArchivedDocument>): AsyncGenerator<AnchorIn> {
    for await (const document of documents) {
      if (document.url === url) continue;
      const told = new Set<string>();
      for (const { url: target, text, rel, nofollow } of this.of(document)) {
        if (target !== url || told.has(text)) continue;
        told.add(text);
        yield { from: document.url, at: document.date, text, rel, nofollow };
      }
    }
  }
}

function contentTypeOf({ rawHeaders }: ArchivedDocument): string | undefined {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
  return at === -1 ? undefined : rawHeaders[at + 1];
}
