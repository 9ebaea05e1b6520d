import type { ArchivedDocument } from '../../contracts/archive.ts';
import type { IndexFields } from '../../contracts/content/index-fields.ts';
import { charsetOf, decode } from '../../convert/charset.ts';
import { convertDocument } from '../../convert/documents/convert-document.ts';
import { isConvertible } from '../../convert/documents/document-types.ts';
import { renderText } from '../../convert/documents/render-blocks.ts';
import { mediaTypeOf } from '../../convert/media-type.ts';
import { queryEncoder } from '../../convert/query-encoder.ts';
import { extractPage } from '../../extract/extract-page.ts';
import { htmlHeadings } from '../../extract/html-headings.ts';
import { indexFields, NO_FIELDS } from '../../extract/index-fields.ts';
import { mainContent } from '../../extract/main-content/main-content.ts';
import { createResolver } from '../../url/resolver.ts';
import type { UrlOptions } from '../../url/url-options.ts';

/** Reads bodies back from the archive: for the links, the headings and, where none was stored, the text. Never throws. */
export class PageReader {
  readonly #urlOptions: UrlOptions;
  /** Making one takes milliseconds for the larger encodings. */
  readonly #queryEncoders = new Map<string, ((query: string) => string) | undefined>();

  readonly #schemes: { readonly schemes?: ReadonlySet<string> };

  constructor(urlOptions: UrlOptions) {
    this.#urlOptions = urlOptions;
    const { schemes = '' } = urlOptions;
    this.#schemes = schemes === '' ? {} : { schemes: new Set(schemes.replaceAll(':', '').split(' ')) };
  }

  read(document: ArchivedDocument): IndexFields {
    const html = htmlOf(document);
    if (html.source === undefined) return { mediaType: html.mediaType, ...NO_FIELDS };
    const page = extractPage(html.source, {
      url: document.address ?? document.url,
      xhtml: html.mediaType === 'application/xhtml+xml',
      encodeQuery: this.#queryEncoder(html.charset),
      ...this.#schemes,
      resolver: (base) => {
        const resolver = createResolver(base, this.#urlOptions);
        return (reference) => resolver.resolve(reference);
      },
    });
    return indexFields(page, {
      ...{ headings: htmlHeadings(html.source), url: document.url, mediaType: html.mediaType },
    });
  }

  #queryEncoder(charset: string): ((query: string) => string) | undefined {
    if (!this.#queryEncoders.has(charset)) this.#queryEncoders.set(charset, queryEncoder(charset));
    return this.#queryEncoders.get(charset);
  }
}

/** The main text of a page with which none was stored; '' where it has none. */
export async function textOfBody(document: ArchivedDocument): Promise<string> {
  const { source, mediaType } = htmlOf(document);
  if (source !== undefined) return mainContent(source, { url: document.address ?? document.url }).text;
  if (!isConvertible(mediaType)) return '';
  const conversion = await convertDocument(document.body, { mediaType, url: document.url });
  return conversion.kind === 'converted' ? renderText(conversion.document.blocks) : '';
}

function htmlOf({ body, url, rawHeaders }: ArchivedDocument): {
  readonly mediaType: string;
  readonly charset: string;
  /** Absent where the document is not HTML; bytes where they are UTF-8 already. */
  readonly source?: Uint8Array | string;
} {
  const media = mediaTypeOf(contentTypeOf(rawHeaders), body, url);
  if (!media.isHtml) return { mediaType: media.type, charset: '' };
  const label = media.charset === undefined ? {} : { label: media.charset };
  const charset = charsetOf(body, { xml: media.isXml, ...label }).encoding;
  return { mediaType: media.type, charset, source: charset === 'utf-8' ? body : decode(body, charset) };
}

/** Several are joined, as when the page came. */
function contentTypeOf(rawHeaders: readonly string[]): string | undefined {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1].toLowerCase() === 'content-type');
  return values.length === 0 ? undefined : values.join(', ');
}
