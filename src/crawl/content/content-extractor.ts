import type { SketchMethod } from '../../contracts/content/content-sketch.ts';
import { isConvertible, isOfficeDocument } from '../../convert/documents/document-types.ts';
import type { Unreadable } from './conversion-lane.ts';
import type { DocumentConverter } from './document-converter.ts';
import type { DescriberLooks, DocumentDescriber } from './document-describer.ts';
import type { ReadDocument } from './document-reader.ts';
import type { ExtractedContent } from './extracted-content.ts';
import { LARGE_PAGE } from './large-pages.ts';
import type { ReadList } from './list-reader.ts';
import { looksLikeFeed, looksLikeSitemap } from './list-signs.ts';
import type { ReadingOptions } from './page-reader.ts';

/** What the reader is told besides the document. */
export interface ReadingOrder {
  readonly isSitemap: boolean;
  /** After this the document is somebody else's. */
  readonly leaseEndsAt: number;
}

export interface ContentExtractorParts {
  readonly converter: Pick<DocumentConverter, 'convert' | 'describe' | 'list' | 'longestMs'>;
  /** False: only what lists links (sitemaps, feeds) is read. */
  readonly text: boolean;
  /** Whether texts are to be compared, and pages looked at for spam. */
  readonly contentSketch?: boolean;
  readonly sketchMethod?: SketchMethod;
  readonly spam?: boolean;
  /** Whether the index is to be handed what the page names itself. */
  readonly headings?: boolean;
  /** How the links of documents that are not HTML are read in the other thread; they come unread where absent. */
  readonly links?: ReadingOptions;
  /** Bytes up to which a page of HTML is described in this thread. */
  readonly mostHere?: number;
  /** Media types that plug-ins read. */
  readonly further?: ReadonlySet<string>;
  /** Absent: loaded with the first document that needs it, which holds up all others for half a second. */
  readonly describer?: DocumentDescriber;
}

/** Larger documents, but for HTML, are read in the other thread, bounded in time and memory: every host of this one would wait. */
const LARGE = 2 ** 20;
/** Between the end of a conversion and its settlement. */
const SETTLING_MS = 5000;

/** The second half of hops 6 and 7: what the page says, in which language, by whom and when. Never rejects. */
export class ContentExtractor {
  readonly #parts: ContentExtractorParts;
  readonly #leadMs: number;
  #loading: Promise<DocumentDescriber> | undefined;
  #loaded: DocumentDescriber | undefined;

  constructor(parts: ContentExtractorParts) {
    this.#parts = parts;
    this.#loaded = parts.describer;
    this.#leadMs = parts.converter.longestMs + SETTLING_MS;
  }

  /** For who reads pages in one pass with it; undefined until it was needed. */
  get describer(): DocumentDescriber | undefined {
    return this.#loaded;
  }

  /** Whose turn in the other thread comes later is not read there any more. */
  startBy({ leaseEndsAt }: Pick<ReadingOrder, 'leaseEndsAt'>): number {
    return leaseEndsAt - this.#leadMs;
  }

  /** Undefined where nothing is to be said. */
  async of(
    document: ReadDocument,
    body: Uint8Array,
    url: string,
    order: ReadingOrder,
    linkCount = document.page?.links.length ?? 0,
  ): Promise<ExtractedContent | undefined> {
    const { converter, text, mostHere = LARGE_PAGE } = this.#parts;
    const { mediaType } = document;
    const isLarge = body.byteLength > LARGE;
    const startBy = this.startBy(order);
    if (document.page !== undefined) {
      if (!text) return undefined;
      const page = { source: document.source ?? body, url, linkCount };
      if (body.byteLength <= mostHere)
        return (await this.#describer()).html(page.source, url, page.linkCount, document.readers);
      return this.#known(await converter.describe({ ...page, looks: this.#looks }, startBy));
    }
    // Never in this thread: what a plug-in does must not hold up the others.
    if (text && this.#parts.further?.has(mediaType) === true && !order.isSitemap)
      return this.#known(await converter.convert(this.#inThread(body, mediaType, url), startBy));
    if (order.isSitemap || looksLikeSitemap(body))
      return this.#listed({ form: 'sitemap', bytes: body, url, mediaType }, isLarge, startBy);
    if (looksLikeFeed(body, mediaType)) {
      const feed = await this.#listed({ form: 'feed', bytes: body, url, mediaType }, isLarge, startBy);
      if (feed !== undefined) return feed;
    }
    if (mediaType === 'text/css' && this.#parts.links?.resources === true) {
      const { readStyleSheetList } = await import('./list-reader.ts');
      return listed(readStyleSheetList(body, document.charset ?? 'utf-8'));
    }
    if (!text || !isConvertible(mediaType)) return undefined;
    // What is text already is read at once: it need not wait behind a PDF.
    if (isOfficeDocument(mediaType) || isLarge)
      return this.#known(await converter.convert(this.#inThread(body, mediaType, url), startBy));
    const { convertToText } = await import('./convert-to-text.ts');
    return (await this.#describer()).document(await convertToText(body, mediaType, url));
  }

  async #known(said: ExtractedContent | Unreadable): Promise<ExtractedContent> {
    return 'kind' in said ? (await this.#describer()).document(said) : said;
  }

  #inThread(bytes: Uint8Array, mediaType: string, url: string): Parameters<DocumentConverter['convert']>[0] {
    const { links } = this.#parts;
    return { bytes, mediaType, url, looks: this.#looks, ...(links === undefined ? {} : { links }) };
  }

  get #looks(): DescriberLooks {
    const { contentSketch = false, sketchMethod, spam = false, headings = false } = this.#parts;
    return { contentSketch, ...(sketchMethod === undefined ? {} : { sketchMethod }), spam, headings };
  }

  /** Undefined where it is no feed after all. */
  async #listed(
    document: Parameters<DocumentConverter['list']>[0],
    isLarge: boolean,
    startBy: number,
  ): Promise<ExtractedContent | undefined> {
    const { form, bytes, url, mediaType } = document;
    if (isLarge || mayGrow(bytes)) {
      const { converter, links } = this.#parts;
      const read = await converter.list(links === undefined ? document : { ...document, links }, startBy);
      if (read !== undefined && 'kind' in read)
        return listed({ links: [], what: form, unreadable: `${read.why}: ${read.detail}` });
      return read === undefined ? undefined : listed(read);
    }
    const { readFeedList, readSitemapList } = await import('./list-reader.ts');
    const read = await (form === 'feed' ? readFeedList : readSitemapList)(bytes, url, mediaType);
    return read === undefined ? undefined : listed(read);
  }

  /** Its parts take their time to load: who wants no text does not wait for them. */
  async #describer(): Promise<DocumentDescriber> {
    if (this.#loaded !== undefined) return this.#loaded;
    this.#loading ??= loadDescriber(this.#looks);
    this.#loaded = await this.#loading;
    return this.#loaded;
  }
}

/** Whoever has hosts waiting calls it before them: it keeps the thread busy for half a second. */
export async function loadDescriber(looks: DescriberLooks): Promise<DocumentDescriber> {
  const { DocumentDescriber } = await import('./document-describer.ts');
  const describer = new DocumentDescriber(looks);
  // The tables of languages are made at the first text.
  describer.html('<p>A few words of a sentence.</p>', 'http://example.org/', 0);
  return describer;
}

function listed(list: ReadList): ExtractedContent {
  const { links, count = links.length, packedLinks, what, title, language, unreadable, cut, hubs, self } = list;
  const said = unreadable === undefined ? { description: `${what}: ${count} addresses` } : { unreadable };
  const packed = packedLinks === undefined ? {} : { packedLinks };
  const hub = hubs === undefined ? {} : { hubs, ...(self === undefined ? {} : { self }) };
  return {
    about: { title, ...said, declaredLanguage: language, cut, textLength: 0, words: 0 },
    links,
    ...packed,
    ...hub,
  };
}

/** A sitemap compressed as a file: what it unpacks to may be a thousand times as large. */
function mayGrow(bytes: Uint8Array): boolean {
  return bytes.byteLength > LARGE / 1024 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}
