import { OrbweaverError } from '../base/errors.ts';
import type { ArchivedDocument } from '../contracts/archive.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { documentText, withHeadline } from '../crawl/content/document-text.ts';
import type { CrawlReader, PageVersion } from '../crawl/report/crawl-reader.ts';
import type { WebCopy, WebReader, WebVersion } from './web-reader.ts';

/** The copies of a crawl folder for the pages. Without a crawl (an index of imported documents) there are none. */
export class CrawlFolderReader implements WebReader {
  readonly #crawl: CrawlReader | undefined;

  constructor(crawl: CrawlReader | undefined) {
    this.#crawl = crawl;
  }

  async closed(url: string): Promise<boolean> {
    return (await unlessUnknown(this.#crawl?.explain(url)))?.page?.facts?.noarchive === true;
  }

  shownCopyOf(url: string): CanonicalUrl | undefined {
    return this.#crawl?.shownCopyOf(url);
  }

  async versions(url: string): Promise<readonly WebVersion[]> {
    return (await unlessUnknown(this.#crawl?.versions(url))) ?? [];
  }

  async copy(url: string, at?: number): Promise<WebCopy | undefined> {
    return copyOf(await this.#document(url, at));
  }

  copiesAt(at: number): (url: string) => Promise<WebCopy | undefined> {
    const read = this.#crawl?.copiesAt(at);
    return async (url) => {
      const held = this.shownCopyOf(url);
      const copy = held === undefined ? undefined : copyOf(await this.#shown(await read?.(held)));
      // Nearest in time may be a visit that found nothing.
      return copy !== undefined && copy.status >= 200 && copy.status < 300 ? copy : undefined;
    };
  }

  async text(url: string, at?: number): Promise<string | undefined> {
    return this.#textOf(await this.#document(url, at));
  }

  async comparedText(url: string, at?: number): Promise<string | undefined> {
    return this.#comparedText(await this.#document(url, at));
  }

  /** The same of a copy that `versions` of the crawl has told of: for who reads many of them. */
  async comparedTextOf(version: PageVersion): Promise<string | undefined> {
    return this.#comparedText(await this.#crawl?.copyOf(version));
  }

  async #comparedText(document: ArchivedDocument | undefined): Promise<string | undefined> {
    const text = await this.#textOf(document);
    if (document === undefined || text === undefined) return undefined;
    return withHeadline(text, document.body, document.url, contentTypeOf(document));
  }

  async #textOf(document: ArchivedDocument | undefined): Promise<string | undefined> {
    if (document === undefined) return undefined;
    const stored = await this.#crawl?.textOf(document);
    return stored ?? (await documentText(document.body, document.url, contentTypeOf(document), 'text'));
  }

  async #document(url: string, at: number | undefined): Promise<ArchivedDocument | undefined> {
    return this.#shown(await unlessUnknown(this.#crawl?.get(url, at)));
  }

  /** What scripts have built is there without them. */
  async #shown(document: ArchivedDocument | undefined): Promise<ArchivedDocument | undefined> {
    return document === undefined ? undefined : await this.#crawl?.shown(document);
  }
}

function copyOf(document: ArchivedDocument | undefined): WebCopy | undefined {
  if (document === undefined) return undefined;
  const { url, address, date, status, body, rawHeaders } = document;
  const contentType = contentTypeOf(document);
  const type = contentType === undefined ? {} : { contentType };
  const asked = address === undefined ? {} : { address };
  return { url, ...asked, date, status, ...type, headers: pairsOf(rawHeaders), body };
}

async function unlessUnknown<T>(reading: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof OrbweaverError && (error.code === 'URL_NOT_FOUND' || error.code === 'SEED_INVALID'))
      return undefined;
    throw error;
  }
}

function pairsOf(raw: readonly string[]): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at], raw[at + 1]]);
  return pairs;
}

function contentTypeOf({ rawHeaders }: ArchivedDocument): string | undefined {
  return pairsOf(rawHeaders).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}
