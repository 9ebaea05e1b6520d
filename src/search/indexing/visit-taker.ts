import { takeUtf8 } from '../../base/bytes/utf8-text.ts';
import type { ArchivedDocument, RecordPlace } from '../../contracts/archive.ts';
import type { IndexFields } from '../../contracts/content/index-fields.ts';
import type { HandedVisit } from '../../contracts/handed-visit.ts';
import type { LastVisit } from '../../contracts/page-store.ts';
import type { AnchorText, SearchIndex } from '../../contracts/search-index.ts';
import { isOfficeDocument } from '../../convert/documents/document-types.ts';
import type { ArchivedVisit } from './archived-visits.ts';
import type { CrawlFolderReader } from './crawl-folder-reader.ts';
import type { ExcludedPages } from './excluded-pages.ts';
import type { FollowedLinks } from './followed-links.ts';
import { indexedPage, isSearchable } from './indexed-page.ts';
import type { RankOf } from './link-ranks.ts';
import type { PageReader } from './page-reading.ts';

export interface VisitTakerParts {
  readonly reader: CrawlFolderReader;
  readonly index: Pick<SearchIndex, 'add' | 'remove'>;
  readonly links: Pick<FollowedLinks, 'set' | 'clear' | 'fold' | 'anchorsTo'>;
  /** Link rank as a prior, 0 to 1. */
  readonly rankOf: RankOf;
  readonly excluded: Pick<ExcludedPages, 'has'>;
}

/** What of a visit is wanted: while a crawl is followed both, in a rebuild first the links of all, then the documents. */
export type Wanted = 'both' | 'links' | 'documents';

/**
 * Takes visits into the index. What counts is the record of the page: a visit that is not its last one (another came
 * later, or this one was never settled) is passed over, so that the order of the files does not matter.
 */
export class VisitTaker {
  readonly #parts: VisitTakerParts;
  #pageReader: PageReader | undefined;

  constructor(parts: VisitTakerParts) {
    this.#parts = parts;
  }

  /** Answers whether the visit gave a document. */
  async take(visit: ArchivedVisit, wanted: Wanted): Promise<boolean> {
    const { url, location } = visit.document;
    const page = ifLast(this.#parts.reader.page(url), location);
    if (page === undefined) return false;
    const document = visit.refersTo === undefined ? visit.document : await this.#parts.reader.readAt(location);
    const reading = document !== undefined && isReadable(page) ? await this.#read(document) : undefined;
    if (wanted !== 'documents') this.#takeLinks(page, reading);
    if (wanted === 'links') return false;
    if (document === undefined || reading === undefined || !this.#isWanted(page)) {
      this.#parts.index.remove(page.url);
      return false;
    }
    return this.#add(page, reading, visit.text ?? (await this.#textOf(document)));
  }

  /** The same of a visit that need not be read, with the record of its page: links and document. Undefined where it has to be read after all. */
  takeHanded({ file, offset, fields, text }: HandedVisit, record: LastVisit | undefined): boolean | undefined {
    const page = ifLast(record, { file, offset });
    if (page === undefined) return false;
    if (fields === undefined) return this.#takeUnread(page);
    this.#takeLinks(page, isReadable(page) ? fields : undefined);
    if (this.#isWanted(page)) return this.#add(page, fields, takeUtf8(text));
    this.#parts.index.remove(page.url);
    return false;
  }

  #takeUnread(page: LastVisit): false | undefined {
    if (isReadable(page)) return undefined;
    this.#takeLinks(page, undefined);
    this.#parts.index.remove(page.url);
    return false;
  }

  /** Indexes a page again as it was stored last: its anchors or its rank have changed. */
  async takeAgain(url: string): Promise<boolean> {
    const { reader } = this.#parts;
    const page = reader.page(url);
    const place = page?.facts?.location;
    if (page === undefined || place === undefined || !this.#isWanted(page)) return false;
    const document = await reader.readAt(place);
    if (document === undefined) return false;
    return this.#add(page, await this.#read(document), (await reader.textAt(place)) ?? '');
  }

  /** What reads bodies is loaded when one has to be read: a crawl hands over nearly all of its pages. */
  async #read(document: ArchivedDocument): Promise<IndexFields> {
    const { PageReader } = await import('./page-reading.ts');
    this.#pageReader ??= new PageReader(this.#parts.reader.urlOptions);
    return this.#pageReader.read(document);
  }

  async #textOf(document: ArchivedDocument): Promise<string> {
    const { textOfBody } = await import('./page-reading.ts');
    return await textOfBody(document);
  }

  /** The links of excluded pages count all the same. */
  #isWanted(page: LastVisit): boolean {
    return isSearchable(page) && !this.#parts.excluded.has(page.url);
  }

  #add(page: LastVisit, reading: IndexFields, text: string): boolean {
    const { index, links, reader, rankOf } = this.#parts;
    if (!isDocument(page, reading, text)) {
      index.remove(page.url);
      return false;
    }
    const anchors: readonly AnchorText[] = links.anchorsTo(page.url);
    const cluster = reader.clusterOf(page);
    index.add(indexedPage(page, reading, { text, anchors, cluster, rank: rankOf(page.url) }));
    return true;
  }

  #takeLinks(page: LastVisit, reading: IndexFields | undefined): void {
    const { links } = this.#parts;
    const { outcome } = page;
    if (outcome?.kind === 'duplicate') links.fold(page, outcome.of);
    else if (outcome?.kind === 'redirected') links.fold(page, outcome.to);
    else if (reading === undefined) links.clear(page);
    else links.set(page, reading.links, page.facts?.directives.some((said) => /nofollow|none/i.test(said)) === true);
  }
}

/** The record of a page, where this visit is its last. */
function ifLast(page: LastVisit | undefined, { file, offset }: Omit<RecordPlace, 'length'>): LastVisit | undefined {
  const last = page?.facts?.location;
  return last?.file === file && last.offset === offset ? page : undefined;
}

/** The links of pages that are not to be found count all the same. */
function isReadable(page: LastVisit): boolean {
  return isSearchable(page) || page.facts?.noindex === true;
}

/** Sitemaps, feeds, images: what is neither a page nor has a text is nothing that a reader looks for. */
function isDocument(page: LastVisit, reading: IndexFields, text: string): boolean {
  const html = reading.mediaType === 'text/html' || reading.mediaType === 'application/xhtml+xml';
  return text !== '' || html || isOfficeDocument(page.facts?.mediaType ?? reading.mediaType);
}
