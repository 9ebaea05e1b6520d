import type { PageAbout } from '../contracts/page-about.ts';
import { isConvertible, isOfficeDocument } from '../convert/documents/document-types.ts';
import { LanguageIdentifier } from '../extract/language/language-identifier.ts';
import { mainContent } from '../extract/main-content/main-content.ts';
import { pageMetadata } from '../extract/metadata/page-metadata.ts';
import { type ConvertedText, convertToText } from './convert-to-text.ts';
import type { DocumentConverter } from './document-converter.ts';
import type { ReadDocument } from './document-reader.ts';
import {
  type ListedLink,
  looksLikeFeed,
  looksLikeSitemap,
  type ReadList,
  readFeedList,
  readSitemapList,
} from './list-reader.ts';

/** What a document says. */
export interface Understood {
  /** Main text; undefined where there is none. */
  readonly text?: string;
  readonly about: PageAbout;
  /** META tags that speak of the use of the page. */
  readonly usageMetas?: readonly (readonly [name: string, content: string])[];
  /** Links of a document that is not HTML. */
  readonly links: readonly ListedLink[];
}

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
  readonly languages?: LanguageIdentifier;
}

/** Longer texts are converted in the other thread. */
const LARGE_TEXT = 2 ** 20;
/** Between the end of a conversion and its settlement. */
const SETTLING_MS = 5000;
const LONGEST_VALUE = 500;
const MOST_VALUES = 20;
/** Characters that tell the language: a few sentences are enough. */
const LANGUAGE_SAMPLE = 800;

/** The second half of hops 6 and 7: what the page says, in which language, by whom and when. Never rejects. */
export class Understanding {
  readonly #parts: UnderstandingParts;
  readonly #languages: LanguageIdentifier;

  constructor(parts: UnderstandingParts) {
    this.#parts = parts;
    this.#languages = parts.languages ?? new LanguageIdentifier();
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
    if (document.page !== undefined) return text ? this.#html(document.source ?? body, url) : undefined;
    if (order.isSitemap || looksLikeSitemap(body)) return listed(await readSitemapList(body, url, mediaType));
    if (looksLikeFeed(body, mediaType)) {
      const feed = readFeedList(body, url, mediaType);
      if (feed !== undefined) return listed(feed);
    }
    if (!text || !isConvertible(mediaType)) return undefined;
    // What is text already is read at once: it need not wait behind a PDF.
    const converted =
      isOfficeDocument(mediaType) || body.byteLength > LARGE_TEXT
        ? await converter.convert(body, mediaType, url, order.leaseEndsAt - converter.longestMs - SETTLING_MS)
        : await convertToText(body, mediaType, url);
    return this.#document(converted);
  }

  #html(source: Uint8Array | string, url: string): Understood {
    const { text, wordCount } = mainContent(source, { url });
    const told = pageMetadata(source, { url });
    const about: PageAbout = {
      title: short(told.title?.value),
      ...list('authors', told.authors),
      published: told.published?.value,
      modified: told.modified?.value,
      siteName: short(told.siteName?.value),
      description: short(told.description?.value),
      image: told.image?.value.startsWith('data:') ? undefined : told.image?.value.slice(0, 2048),
      ...list('keywords', told.tags),
      declaredLanguage: told.language?.value,
      ...this.#language(text, told.language?.value),
      textLength: text.length,
      words: wordCount,
    };
    return { ...(text === '' ? {} : { text }), about, usageMetas: told.usageMetas, links: [] };
  }

  #document(converted: ConvertedText): Understood {
    if (converted.kind === 'unreadable') {
      const { why, detail } = converted;
      return { about: { unreadable: `${why}: ${detail}`, textLength: 0, words: 0 }, links: [] };
    }
    const { text, document } = converted;
    const about: PageAbout = {
      title: short(document.title),
      ...(document.authors.length === 0 ? {} : { authors: document.authors.slice(0, MOST_VALUES) }),
      published: document.created,
      modified: document.modified,
      description: short(document.description),
      ...(document.keywords === undefined ? {} : { keywords: document.keywords.slice(0, MOST_VALUES) }),
      declaredLanguage: document.language,
      ...this.#language(text, document.language),
      textLength: text.length,
      words: wordsIn(text),
      pages: document.pages,
      cut: document.cut,
    };
    return { ...(text === '' ? {} : { text }), about, links: document.links.map((link) => ({ ...link, kind: 'a' })) };
  }

  /** A guess on little text counts only where the document says the same. */
  #language(text: string, declared: string | undefined): Pick<PageAbout, 'language' | 'languageConfidence'> {
    const found = this.#languages.identify(text, { maxLength: LANGUAGE_SAMPLE });
    return found === undefined || (!found.reliable && declared?.split('-')[0] !== found.language)
      ? {}
      : { language: found.language, languageConfidence: Math.round(found.confidence * 100) / 100 };
  }
}

function listed({ links, what, title, language, unreadable, cut }: ReadList): Understood {
  const said = unreadable === undefined ? { description: `${what}: ${links.length} addresses` } : { unreadable };
  return { about: { title, ...said, declaredLanguage: language, cut, textLength: 0, words: 0 }, links };
}

function short(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value.slice(0, LONGEST_VALUE);
}

function list<Key extends string>(
  key: Key,
  told: readonly { readonly value: string }[],
): { readonly [K in Key]?: readonly string[] } {
  if (told.length === 0) return {};
  const values = told.slice(0, MOST_VALUES).map(({ value }) => value.slice(0, LONGEST_VALUE));
  return { [key]: values } as unknown as { readonly [K in Key]: readonly string[] };
}

function wordsIn(text: string): number {
  let words = 0;
  let inside = false;
  for (let at = 0; at < text.length; at++) {
    const space = text.charCodeAt(at) <= 0x20;
    if (!space && !inside) words++;
    inside = !space;
  }
  return words;
}
