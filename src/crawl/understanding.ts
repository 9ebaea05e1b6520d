import { isConvertible, isOfficeDocument } from '../convert/documents/document-types.ts';
import type { DocumentConverter } from './document-converter.ts';
import type { DocumentDescriber } from './document-describer.ts';
import type { ReadDocument } from './document-reader.ts';
import type { ReadList } from './list-reader.ts';
import { looksLikeFeed, looksLikeSitemap } from './list-signs.ts';
import type { Understood } from './understood.ts';

/** What the reader is told besides the document. */
export interface ReadingOrder {
  readonly isSitemap: boolean;
  /** After this the document is somebody else's. */
  readonly leaseEndsAt: number;
}

export interface UnderstandingParts {
  readonly converter: Pick<DocumentConverter, 'convert' | 'longestMs'>;
  /** False: only what lists links (sitemaps, feeds) is read. */
  readonly text: boolean;
  /** Whether texts are to be compared, and pages looked at for spam. */
  readonly likeness?: boolean;
  readonly spam?: boolean;
}

/** Longer texts are converted in the other thread. */
const LARGE_TEXT = 2 ** 20;
/** Between the end of a conversion and its settlement. */
const SETTLING_MS = 5000;

/** The second half of hops 6 and 7: what the page says, in which language, by whom and when. Never rejects. */
export class Understanding {
  readonly #parts: UnderstandingParts;
  #loading: Promise<DocumentDescriber> | undefined;

  constructor(parts: UnderstandingParts) {
    this.#parts = parts;
  }

  /** Undefined where nothing is to be said. */
  async of(
    document: ReadDocument,
    body: Uint8Array,
    url: string,
    order: ReadingOrder,
  ): Promise<Understood | undefined> {
    const { converter, text } = this.#parts;
    const { mediaType } = document;
    if (document.page !== undefined)
      return text
        ? (await this.#describer()).html(document.source ?? body, url, document.page.links.length)
        : undefined;
    if (order.isSitemap || looksLikeSitemap(body)) {
      const { readSitemapList } = await import('./list-reader.ts');
      return listed(await readSitemapList(body, url, mediaType));
    }
    if (looksLikeFeed(body, mediaType)) {
      const { readFeedList } = await import('./list-reader.ts');
      const feed = readFeedList(body, url, mediaType);
      if (feed !== undefined) return listed(feed);
    }
    if (!text || !isConvertible(mediaType)) return undefined;
    // What is text already is read at once: it need not wait behind a PDF.
    const converted =
      isOfficeDocument(mediaType) || body.byteLength > LARGE_TEXT
        ? await converter.convert(body, mediaType, url, order.leaseEndsAt - converter.longestMs - SETTLING_MS)
        : await (await import('./convert-to-text.ts')).convertToText(body, mediaType, url);
    return (await this.#describer()).document(converted);
  }

  /** Its parts take a quarter of a second to load: who wants no text does not wait for them. */
  #describer(): Promise<DocumentDescriber> {
    this.#loading ??= import('./document-describer.ts').then(
      (module) =>
        new module.DocumentDescriber({ likeness: this.#parts.likeness === true, spam: this.#parts.spam === true }),
    );
    return this.#loading;
  }
}

function listed({ links, what, title, language, unreadable, cut, hubs, self }: ReadList): Understood {
  const said = unreadable === undefined ? { description: `${what}: ${links.length} addresses` } : { unreadable };
  const hub = hubs === undefined ? {} : { hubs, ...(self === undefined ? {} : { self }) };
  return { about: { title, ...said, declaredLanguage: language, cut, textLength: 0, words: 0 }, links, ...hub };
}
