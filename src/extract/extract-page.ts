import type { Page } from '../contracts/content/page.ts';
import { byteSourceOf } from './byte-text.ts';
import type { ExtractOptions, Resolve } from './extract-options.ts';
import { documentUrl } from './link-list.ts';
import { PageReader, readAlone } from './page-reader.ts';
import { withEncodedQuery } from './query-encoding.ts';
import { type MarkupReader, type ReaderMakers, scanOnce } from './scan-once.ts';
import type { TagMemory } from './tags/tag-memory.ts';

export interface ExtractedPage extends Page {
  /** Links that lead to no document: `javascript:`, `data:`, `mailto:`, references that cannot be resolved. */
  readonly skippedLinks: number;
  /** Links beyond the limit: counted, and no part of `links`. */
  readonly omittedLinks: number;
}

/**
 * Reads an HTML document once, from the first byte to the last: the body as received where it is UTF-8, else the decoded text.
 * Pure; no markup makes it throw.
 */
export function extractPage(document: string | Uint8Array, options: ExtractOptions): ExtractedPage {
  return pageOf(readAlone(byteSourceOf(document), options), options);
}

/** The same, while others read the document in the same pass; they are undefined where that means something else to them: XHTML. */
export function extractBeside<Readers extends readonly MarkupReader[]>(
  document: string | Uint8Array,
  options: ExtractOptions,
  makers: ReaderMakers<Readers>,
  tags?: TagMemory,
): { readonly page: ExtractedPage; readonly readers: Readers | undefined } {
  const source = byteSourceOf(document);
  if (options.xhtml === true) return { page: pageOf(readAlone(source, options), options), readers: undefined };
  const all = [(scanner) => new PageReader(scanner, options), ...makers] as ReaderMakers<[PageReader, ...Readers]>;
  const [reader, ...readers] = scanOnce<[PageReader, ...Readers]>(source, all, tags);
  const found = reader.isLost ? readAlone(source, options) : reader;
  return { page: pageOf(found, options), readers: readers as unknown as Readers };
}

function pageOf({ elements: found, visibleText: text }: PageReader, options: ExtractOptions): ExtractedPage {
  const resolver = options.resolver ?? platformResolver;
  const { encodeQuery, schemes: further } = options;
  // A base that cannot be resolved or that is no place of documents counts as none.
  const base =
    (found.base === undefined ? undefined : documentUrl(found.base, resolver(options.url), further)) ?? options.url;
  const resolve: Resolve = encodeQuery === undefined ? resolver(base) : withEncodedQuery(resolver(base), encodeQuery);
  const { links, skipped, omitted } = found.links.resolve(resolve, further);
  const { refresh } = found;
  const refreshUrl = refresh === undefined ? undefined : documentUrl(refresh.url || options.url, resolve, further);
  return {
    base,
    title: found.title ?? '',
    lang: found.lang,
    description: found.description,
    canonical: found.canonical === undefined ? undefined : documentUrl(found.canonical, resolve, further),
    refresh: refresh === undefined || refreshUrl === undefined ? undefined : { ...refresh, url: refreshUrl },
    alternates: found.alternates.flatMap(([hreflang, reference]) => {
      const url = documentUrl(reference, resolve, further);
      return url === undefined ? [] : [{ hreflang, url }];
    }),
    metaRobots: found.metaRobots,
    links,
    text,
    skippedLinks: skipped,
    omittedLinks: omitted,
  };
}

/** Right in every case, but parses the base again for each reference; `url/resolver` is the fast way. */
function platformResolver(base: string): (reference: string) => string | undefined {
  return (reference) => URL.parse(reference, base)?.href;
}
