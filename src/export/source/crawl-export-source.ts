import { basename, resolve } from 'node:path';
import type { ArchiveSet } from '../../archive/archive-set.ts';
import { isMissing } from '../../archive/shipping/archive-bytes.ts';
import { fingerprint } from '../../base/fingerprint.ts';
import type { ArchivedDocument, RecordPlace } from '../../contracts/archive.ts';
import type { Link } from '../../contracts/content/page.ts';
import type {
  ExportAbout,
  ExportFilter,
  ExportLink,
  ExportPage,
  ExportRow,
  ExportSource,
  ExportUrl,
  ExportVersion,
  StreamFrom,
} from '../../contracts/export.ts';
import type { ListedUrl } from '../../contracts/state/known-url.ts';
import type { ListedLinks } from '../../contracts/state/link-store.ts';
import type { StoredRow } from '../../contracts/state/row-store.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { documentText } from '../../crawl/content/document-text.ts';
import type { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { PageLinks } from '../../crawl/report/page-links.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { FilterMatch } from './filter-match.ts';

export interface ExportSourceParts {
  readonly reader: CrawlReader;
  readonly filter: ExportFilter;
  /** All pages with their links, behind a visit. Fails where none were gathered. */
  readonly listLinks: (after: number) => Promise<Iterable<ListedLinks>>;
  /** The URLs that the search index finds for a query. */
  readonly search: (query: string) => Promise<readonly string[]>;
  /** Of the crawl, whatever it is called. */
  readonly identity: string;
  readonly signature: () => string;
  /** Rows of extraction rules, behind one. Fails where there were no rules. */
  readonly listRows: (after: number, set?: string) => Iterable<StoredRow>;
  /** Whether cursors mean the same in the next process. */
  readonly isResumable: boolean;
  /** Streams end with its reason where it is aborted. */
  readonly signal?: AbortSignal;
}

/** Other work gets its turn after this many rows. */
const TURN = 2000;
const VISITED = { states: ['visited'] } as const;

/** A crawl for exports, read in slices. */
export class CrawlExportSource implements ExportSource {
  readonly filter: ExportFilter;
  readonly isResumable: boolean;
  readonly #parts: ExportSourceParts;
  readonly #match: FilterMatch;
  readonly #archive: ArchiveSet;
  #pageLinks: PageLinks | undefined;
  #found: Promise<ReadonlySet<bigint>> | undefined;

  constructor(parts: ExportSourceParts) {
    this.#parts = parts;
    this.filter = parts.filter;
    this.isResumable = parts.isResumable;
    this.#match = new FilterMatch(parts.filter);
    this.#archive = parts.reader.archive();
  }

  get about(): ExportAbout {
    const { name, seeds, folders } = this.#parts.reader;
    // Of a folder its own name: exports are given away, and where it lies is nobody's business.
    return { name: folders.includes(name) ? basename(resolve(name)) : name, seeds, folders };
  }

  get identity(): string {
    return this.#parts.identity;
  }

  signature(): string {
    return this.#parts.signature();
  }

  async *pages(from?: StreamFrom): AsyncGenerator<ExportPage> {
    const isFound = await this.#finder();
    yield* this.#limited(
      this.#rows(this.#known(from, VISITED), (row) => this.#isPage(row, isFound)),
      from,
      (row) => this.#page(row),
    );
  }

  async *rows(from?: StreamFrom, set?: string): AsyncGenerator<ExportRow> {
    const rows = this.#parts.listRows(Number(from?.cursor || 0), set);
    const isMeant = ({ url, at }: StoredRow): boolean =>
      this.#match.host(hostKeyOf(url as CanonicalUrl)) && this.#match.time(at);
    yield* this.#limited(this.#rows(rows, isMeant), from, (row) => ({ ...row, cursor: String(row.cursor) }));
  }

  async *urls(from?: StreamFrom): AsyncGenerator<ExportUrl> {
    yield* this.#limited(
      this.#rows(this.#known(from), (row) => this.#isUrl(row)),
      from,
      (row) => row,
    );
  }

  async *decisions(from?: StreamFrom): AsyncGenerator<ExportUrl> {
    const decided = this.#known(from, { states: ['visited', 'refused-link'] });
    yield* this.#limited(
      this.#rows(decided, (row) => this.#isUrl(row)),
      from,
      (row) => row,
    );
  }

  async *links(from?: StreamFrom): AsyncGenerator<ExportLink> {
    const [visit, last] = from === undefined || from.cursor === '' ? [0, -1] : from.cursor.split(' ').map(Number);
    const isFound = await this.#finder();
    const pages = await this.#parts.listLinks(Math.max(0, visit - 1));
    const sources = this.#rows(pages, (page) => this.#isSource(page, isFound));
    yield* this.#limited(this.#single(sources, visit, last), from, (link) => link);
  }

  async *versions(from?: StreamFrom): AsyncGenerator<ExportVersion> {
    const isFound = await this.#finder();
    yield* this.#limited(this.#copies(from, isFound), from, (version) => version);
  }

  documentAt(place: RecordPlace): Promise<ArchivedDocument | undefined> {
    return this.#archive.readAt(place);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pageLinks?.[Symbol.asyncDispose]();
  }

  #known(
    from: StreamFrom | undefined,
    query: { readonly states?: readonly ListedUrl['state'][] } = {},
  ): Iterable<ListedUrl> {
    const after = from === undefined || from.cursor === '' ? {} : { after: from.cursor };
    return this.#parts.reader.knownUrls({ ...query, ...after });
  }

  /** Rows that match; gives way to others, and ends where nobody wants more. */
  async *#rows<Row>(rows: Iterable<Row>, matches: (row: Row) => boolean): AsyncGenerator<Row> {
    let looked = 0;
    for (const row of rows) {
      if (++looked % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      this.#parts.signal?.throwIfAborted();
      if (matches(row)) yield row;
    }
  }

  async *#limited<Row, Out>(
    rows: AsyncIterable<Row>,
    from: StreamFrom | undefined,
    shown: (row: Row) => Out,
  ): AsyncGenerator<Out> {
    let left = (from?.limit ?? this.filter.limit ?? Number.POSITIVE_INFINITY) - (from?.rows ?? 0);
    if (left <= 0) return;
    for await (const row of rows) {
      yield shown(row);
      if (--left <= 0) return;
    }
  }

  #isPage(row: ListedUrl, isFound: (url: string) => boolean): boolean {
    const { held, facts, host, url } = row;
    return (
      held === true &&
      facts?.location !== undefined &&
      this.#match.host(host) &&
      this.#match.time(facts.requestedAt) &&
      this.#match.mediaType(facts.mediaType) &&
      this.#match.page(facts) &&
      isFound(url)
    );
  }

  #isUrl({ host, visitedAt, foundAt }: ListedUrl): boolean {
    return this.#match.host(host) && this.#match.time(visitedAt ?? foundAt);
  }

  #isSource({ url, host, at }: ListedLinks, isFound: (url: string) => boolean): boolean {
    if (!this.#match.host(host) || !this.#match.time(at) || !isFound(url)) return false;
    if (!this.#match.asksForFacts && this.filter.mediaTypes === undefined) return true;
    const facts = this.#parts.reader.factsOf(url as CanonicalUrl);
    return facts !== undefined && this.#match.mediaType(facts.mediaType) && this.#match.page(facts);
  }

  /** The links of the pages one by one, behind the `last` of the page of a visit. */
  async *#single(pages: AsyncIterable<ListedLinks>, visit: number, last: number): AsyncGenerator<ExportLink> {
    for await (const { no, url, at, links } of pages)
      for (let place = no === visit ? last + 1 : 0; place < links.length; place++) {
        const { url: target, text, nofollow } = links[place];
        yield {
          ...{ cursor: `${no} ${place}`, source: url as CanonicalUrl, target: target as CanonicalUrl },
          ...{ text, nofollow, seenAt: at },
        };
      }
  }

  async *#copies(from: StreamFrom | undefined, isFound: (url: string) => boolean): AsyncGenerator<ExportVersion> {
    const [, begun, last] = /^(.*)#(\d+)$/.exec(from?.cursor ?? '') ?? [];
    const known = this.#known(begun === undefined ? undefined : { cursor: begun, rows: 0 }, VISITED);
    const matches = ({ facts, host, url }: ListedUrl): boolean =>
      this.#match.host(host) &&
      (facts === undefined ? !this.#match.asksForFacts : this.#match.page(facts)) &&
      isFound(url);
    let before = begun ?? '';
    for await (const { url, host, cursor } of this.#rows(known, matches)) {
      // A copy is named by the URL before its own, so that the copies behind it come again with a look at their URL.
      yield* this.#copiesOf(url, host, before, last !== undefined && before === begun ? Number(last) : 0);
      before = cursor;
    }
  }

  async *#copiesOf(url: CanonicalUrl, host: HostKey, before: string, after: number): AsyncGenerator<ExportVersion> {
    let digest: string | undefined;
    let number = 0;
    for (const version of await this.#archive.versions(url)) {
      number++;
      const changed = digest === undefined ? 'first' : version.digest === digest ? 'same' : 'changed';
      digest = version.digest ?? digest;
      if (number <= after || !this.#match.time(version.date) || !this.#match.mediaType(version.mediaType)) continue;
      yield {
        ...{ ...version, url, host, number, changed, cursor: `${before}#${number}` },
        document: () => this.#archive.readAt(version),
        text: () => this.#textAt(version),
      };
    }
  }

  #page(row: ListedUrl): ExportPage {
    const facts = row.facts!;
    const document = (): Promise<ArchivedDocument | undefined> => this.#archive.readAt(facts.location!);
    return {
      ...{ ...row, facts, document },
      text: () => this.#textAt(facts.location!),
      markdown: () => this.#contentAt(facts.location!, 'markdown'),
      links: async (): Promise<readonly Link[]> => {
        const copy = await document();
        if (copy === undefined) return [];
        this.#pageLinks ??= new PageLinks(this.#parts.reader.urlOptions);
        return await this.#pageLinks.of(await this.#archive.shown(copy));
      },
    };
  }

  /** As it was stored beside the copy, else as the body gives it: a duplicate has no text of its own. */
  async #textAt(place: RecordPlace & { readonly fileEnd?: number }): Promise<string | undefined> {
    const stored = await this.#archive.textAt(place).catch((error: unknown) => {
      // The file is gone, or on another machine: its copy is as little there.
      if (isMissing(error)) return undefined;
      throw error;
    });
    return stored ?? (await this.#contentAt(place, 'text'));
  }

  async #contentAt(place: RecordPlace, form: 'text' | 'markdown'): Promise<string | undefined> {
    const answered = await this.#archive.readAt(place);
    if (answered === undefined) return undefined;
    const { body, url, address = url, rawHeaders } = await this.#archive.shown(answered);
    return await documentText(body, address, contentTypeOf(rawHeaders), form);
  }

  /** Fingerprints: a query may find most of the pages. */
  async #finder(): Promise<(url: string) => boolean> {
    const { query } = this.filter;
    if (query === undefined) return () => true;
    this.#found ??= this.#parts.search(query).then((urls) => new Set(urls.map(fingerprint)));
    const found = await this.#found;
    return (url) => found.has(fingerprint(url));
  }
}

function contentTypeOf(rawHeaders: readonly string[]): string | undefined {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
  return at === -1 ? undefined : rawHeaders[at + 1];
}
