import { robotsNames } from '../../base/robots-names.ts';
import type { Link } from '../../contracts/content/page.ts';
import { charsetOf, decode } from '../../convert/charset.ts';
import { mediaTypeOf } from '../../convert/media-type.ts';
import { queryEncoder } from '../../convert/query-encoder.ts';
import type { UrlResolverFactory } from '../../extract/extract-options.ts';
import { type ExtractedPage, extractBeside, extractPage } from '../../extract/extract-page.ts';
import { pageMedia } from '../../extract/media/page-media.ts';
import type { PageReaders } from '../../extract/read-page.ts';
import { TagMemory } from '../../extract/tags/tag-memory.ts';
import type { DocumentDescriber } from './document-describer.ts';
import { followedLinks, parseLinkHeaders } from './link-header.ts';

export interface DocumentReaderOptions {
  readonly resources?: boolean;
  /** Also list the pictures that belong to the content of a page; where `resources` are listed, those are among them. */
  readonly pictures?: boolean;
  /** Links of a page that are kept. */
  readonly maxLinks?: number;
  /** Product token whose META tags are wanted besides those for all robots. */
  readonly agent?: string;
  /** Schemes of plug-ins, without their colons. */
  readonly schemes?: ReadonlySet<string>;
  /** How references become absolute; the platform's URL parser when absent. */
  readonly resolver?: UrlResolverFactory;
  /** Who will be asked what the pages say, and reads them in the same pass; answers undefined as long as nobody is. */
  readonly describer?: () => Pick<DocumentDescriber, 'readers'> | undefined;
}

export interface ReadDocument {
  readonly mediaType: string;
  readonly charset?: string;
  /** Absent where the document is not HTML. */
  readonly page?: ExtractedPage;
  /** HTML that had to be decoded, as text; where absent the body is UTF-8. */
  readonly source?: string;
  /** '' unless asked for; of a document that is not HTML only where it is text already. */
  readonly text: string;
  /** The describer's readers, which have met all of the page; absent where it is read for links alone. */
  readonly readers?: PageReaders;
}

/** Hops 6 and 7: bytes to text, text to page. Never throws, whatever the bytes. */
export class DocumentReader {
  readonly #options: DocumentReaderOptions;
  readonly #tags = new TagMemory();
  /** Making one takes milliseconds for the larger encodings. */
  readonly #queryEncoders = new Map<string, ((query: string) => string) | undefined>();

  constructor(options: DocumentReaderOptions = {}) {
    this.#options = options;
  }

  /** `contentType` as the server sent it; with `wantsText` the visible text is gathered too. Of a part only the links are read. */
  read(
    body: Uint8Array,
    url: string,
    contentType: string | undefined,
    { wantsText = false, isPart = false }: { readonly wantsText?: boolean; readonly isPart?: boolean } = {},
  ): ReadDocument {
    const media = mediaTypeOf(contentType, body, url);
    if (!media.isText && !media.isHtml) return { mediaType: media.type, text: '' };
    const charset = charsetOf(body, {
      xml: media.isXml,
      ...(media.charset === undefined ? {} : { label: media.charset }),
    }).encoding;
    if (!media.isHtml) return { mediaType: media.type, charset, text: wantsText ? decode(body, charset) : '' };
    const { resources, maxLinks, agent, resolver, schemes } = this.#options;
    // UTF-8 is read as bytes: decoding a whole page costs more than finding its links.
    const source = charset === 'utf-8' ? undefined : decode(body, charset);
    const options = {
      url,
      text: wantsText,
      resources: resources === true,
      xhtml: media.type === 'application/xhtml+xml',
      encodeQuery: this.#queryEncoder(charset),
      ...(maxLinks === undefined ? {} : { maxLinks }),
      ...(agent === undefined ? {} : { agents: robotsNames(agent.toLowerCase()) }),
      ...(resolver === undefined ? {} : { resolver }),
      ...(schemes === undefined ? {} : { schemes }),
    };
    const read = { mediaType: media.type, charset, ...(source === undefined ? {} : { source }) };
    const describer = isPart ? undefined : this.#options.describer?.();
    if (describer === undefined) {
      const page = this.#withPictures(extractPage(source ?? body, options), source ?? body, url);
      return { ...read, page, text: page.text };
    }
    const { page: bare, readers } = extractBeside(source ?? body, options, describer.readers(url), this.#tags);
    const page = this.#withPictures(bare, source ?? body, url);
    return { ...read, page, text: page.text, ...(readers === undefined ? {} : { readers }) };
  }

  #withPictures(page: ExtractedPage, source: Uint8Array | string, url: string): ExtractedPage {
    const { pictures, resolver = platformResolver, maxLinks = Number.POSITIVE_INFINITY } = this.#options;
    if (pictures !== true) return page;
    const said = { rel: '', nofollow: false, ugc: false, sponsored: false };
    const links = pageMedia(source, { url, resolver })
      .filter(({ kind }) => kind === 'image')
      .map(({ url: file, alt }): Link => ({ url: file, kind: 'img', text: alt, ...said }));
    return { ...page, links: [...page.links, ...links.slice(0, Math.max(0, maxLinks - page.links.length))] };
  }

  /** The links of Link fields that are followed, as far as `maxLinks` leaves room beside `others`. */
  linksOfHeaders(fields: readonly string[], url: string, others: number): Link[] {
    const { resources, maxLinks = Number.POSITIVE_INFINITY, resolver = platformResolver } = this.#options;
    const links = followedLinks(parseLinkHeaders(fields), resolver(url), resources === true);
    return links.slice(0, Math.max(0, maxLinks - others));
  }

  #queryEncoder(charset: string): ((query: string) => string) | undefined {
    if (!this.#queryEncoders.has(charset)) this.#queryEncoders.set(charset, queryEncoder(charset));
    return this.#queryEncoders.get(charset);
  }
}

function platformResolver(base: string): (reference: string) => string | undefined {
  return (reference) => URL.parse(reference, base)?.href;
}
