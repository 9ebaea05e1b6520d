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
  readonly converter: Pick<DocumentConverter, 'convert' | 'describe' | 'list' | 'longestMs'>;
  /** False: only what lists links (sitemaps, feeds) is read. */
  readonly text: boolean;
  /** Whether texts are to be compared, and pages looked at for spam. */
  readonly likeness?: boolean;
  readonly spam?: boolean;
}

/**
 * Larger documents are read in the other thread, where they are bounded in time and memory: a monster of a page may take
 * seconds, and every host of this thread would wait for it.
 */
const LARGE = 2 ** 20;
/** Between the end of a conversion and its settlement. */
const SETTLING_MS = 5000;

/** The second half of hops 6 and 7: what the page says, in which language, by whom and when. Never rejects. */
export class Understanding {
  readonly #parts: UnderstandingParts;
  #loading: Promise<DocumentDescriber> | undefined;

  constructor(parts: UnderstandingParts) {
    this.#parts = parts;
  }

  /** Whose turn in the other thread comes later is not read there any more. */
  startBy({ leaseEndsAt }: Pick<ReadingOrder, 'leaseEndsAt'>): number {
    return leaseEndsAt - this.#parts.converter.longestMs - SETTLING_MS;
  }

  /** Undefined where nothing is to be said. */
  async of(
    document: ReadDocument,
    body: Uint8Array,
    url: string,
    order: ReadingOrder,
    linkCount = document.page?.links.length ?? 0,
  ): Promise<Understood | undefined> {
    const { converter, text } = this.#parts;
    const { mediaType } = document;
    const isLarge = body.byteLength > LARGE;
    const startBy = this.startBy(order);
    if (document.page !== undefined) {
      if (!text) return undefined;
      const page = { source: document.source ?? body, url, linkCount };
      if (!isLarge) return (await this.#describer()).html(page.source, url, page.linkCount);
      const looks = { likeness: this.#parts.likeness === true, spam: this.#parts.spam === true };
      const described = await converter.describe({ ...page, looks }, startBy);
      return 'kind' in described ? (await this.#describer()).document(described) : described;
    }
    if (order.isSitemap || looksLikeSitemap(body))
      return this.#listed({ form: 'sitemap', bytes: body, url, mediaType }, isLarge, startBy);
    if (looksLikeFeed(body, mediaType)) {
      const feed = await this.#listed({ form: 'feed', bytes: body, url, mediaType }, isLarge, startBy);
      if (feed !== undefined) return feed;
    }
    if (!text || !isConvertible(mediaType)) return undefined;
    // What is text already is read at once: it need not wait behind a PDF.
    const converted =
      isOfficeDocument(mediaType) || isLarge
        ? await converter.convert(body, mediaType, url, startBy)
        : await (await import('./convert-to-text.ts')).convertToText(body, mediaType, url);
    return (await this.#describer()).document(converted);
  }

  /** Undefined where it is no feed after all. */
  async #listed(
    document: Parameters<DocumentConverter['list']>[0],
    isLarge: boolean,
    startBy: number,
  ): Promise<Understood | undefined> {
    const { form, bytes, url, mediaType } = document;
    if (isLarge || mayGrow(bytes)) {
      const read = await this.#parts.converter.list(document, startBy);
      if (read !== undefined && 'kind' in read)
        return listed({ links: [], what: form, unreadable: `${read.why}: ${read.detail}` });
      return read === undefined ? undefined : listed(read);
    }
    const { readFeedList, readSitemapList } = await import('./list-reader.ts');
    const read = await (form === 'feed' ? readFeedList : readSitemapList)(bytes, url, mediaType);
    return read === undefined ? undefined : listed(read);
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

/** A sitemap compressed as a file: what it unpacks to may be a thousand times as large. */
function mayGrow(bytes: Uint8Array): boolean {
  return bytes.byteLength > LARGE / 1024 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}
