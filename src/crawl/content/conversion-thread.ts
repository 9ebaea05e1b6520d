/** The body of the conversion thread: one document at a time, bytes to text. Started by crawl/content/conversion-lane.ts. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import type { ConversionLimits } from '../../contracts/content/document.ts';
import type { MediaConverter, PluginContext } from '../../contracts/plugin.ts';
import { readPdf } from '../../convert/documents/pdf/pdf-document.ts';
import { PdfEngine } from '../../convert/documents/pdf/pdf-engine.ts';
import { loadPlugins } from '../../plugins/load-plugins.ts';
import type { Part, Plugins } from '../../plugins/plugins.ts';
import { convertByPlugin } from '../plugins/convert-by-plugin.ts';
import type { DocumentLinks } from '../workers/packed-links.ts';
import { convertToText } from './convert-to-text.ts';
import type { DescriberLooks, DocumentDescriber } from './document-describer.ts';
import { packListed } from './document-links.ts';
import type { DocumentReader } from './document-reader.ts';
import type { ExtractedContent } from './extracted-content.ts';
import type { ListedLink, ReadList } from './list-reader.ts';
import { type PageOrder, type ReadingOptions, type ReadPage, resolverOf } from './page-reader.ts';

/** What the thread is asked to do, and what it answers to that. */
export interface ThreadWork {
  readonly text: {
    readonly order: {
      readonly kind: 'text';
      readonly bytes: Uint8Array;
      readonly mediaType: string;
      readonly url: string;
      readonly limits: ConversionLimits;
      readonly looks: DescriberLooks;
      readonly links?: ReadingOptions;
    };
    readonly answer: ExtractedContent;
  };
  readonly page: {
    readonly order: {
      readonly kind: 'page';
      readonly source: Uint8Array | string;
      readonly url: string;
      readonly linkCount: number;
      readonly looks: DescriberLooks;
    };
    readonly answer: ExtractedContent;
  };
  readonly read: {
    readonly order: { readonly kind: 'read'; readonly options: ReadingOptions } & PageOrder;
    readonly answer: ReadPage;
  };
  /** Undefined where it is no feed after all. */
  readonly list: {
    readonly order: {
      readonly kind: 'list';
      readonly form: 'sitemap' | 'feed';
      readonly bytes: Uint8Array;
      readonly mediaType: string;
      readonly url: string;
      readonly links?: ReadingOptions;
    };
    readonly answer: ReadList | undefined;
  };
}

/** Modules with converters of plug-ins, and what they are told. */
export interface ConverterPlugins {
  readonly specifiers: readonly string[];
  readonly context: PluginContext;
}

export type ConversionOrder = ThreadWork[keyof ThreadWork]['order'];

function serve(port: MessagePort, modules: ConverterPlugins | undefined): void {
  const engine = new PdfEngine();
  // PDFs are read right here: this thread can be ended like the one that they would get elsewhere.
  const pdfReader = { convert: (bytes: Uint8Array, limits: ConversionLimits) => readPdf(bytes, limits, engine) };

  let describer: DocumentDescriber | undefined;
  let reader: DocumentReader | undefined;

  const describerOf = async (looks: DescriberLooks): Promise<DocumentDescriber> => {
    const { DocumentDescriber } = await import('./document-describer.ts');
    describer ??= new DocumentDescriber(looks);
    return describer;
  };

  let plugins: Promise<Plugins> | undefined;
  const converterOf = async (mediaType: string): Promise<Part<MediaConverter> | undefined> => {
    if (modules === undefined || modules.specifiers.length === 0) return undefined;
    plugins ??= loadPlugins(modules.specifiers, modules.context);
    return (await plugins).converters.get(mediaType);
  };

  const answerTo = async (order: ConversionOrder): Promise<ThreadWork[keyof ThreadWork]['answer']> => {
    switch (order.kind) {
      case 'text': {
        const { bytes, mediaType, url, limits, looks, links } = order;
        const further = await converterOf(mediaType);
        const converted =
          further === undefined
            ? await convertToText(bytes, mediaType, url, limits, pdfReader)
            : await convertByPlugin(further, { bytes, mediaType, url }, limits);
        return packed((await describerOf(looks)).document(converted), url, links);
      }
      case 'page':
        return (await describerOf(order.looks)).html(order.source, order.url, order.linkCount);
      case 'read': {
        const { openReader, readPage } = await import('./page-reader.ts');
        reader ??= openReader(order.options);
        const read = readPage(reader, order);
        const { html } = read;
        // The links are packed by now; a copy of each object would take longer than reading them did.
        return html.page === undefined ? read : { ...read, html: { ...html, page: { ...html.page, links: [] } } };
      }
      case 'list': {
        const { readFeedList, readSitemapList } = await import('./list-reader.ts');
        const read = order.form === 'feed' ? readFeedList : readSitemapList;
        const list = await read(order.bytes, order.url, order.mediaType);
        return list === undefined ? undefined : packed({ ...list, count: list.links.length }, order.url, order.links);
      }
    }
  };
  // A fault ends the thread: whoever waits is told, and the next document gets a new one.
  port.on('message', (order: ConversionOrder) => void answerTo(order).then((answer) => port.postMessage(answer)));
}

/** What is said of tens of thousands of links takes as long to copy as to find: they go packed where the other side wants that. */
function packed<T extends { readonly links: readonly ListedLink[] }>(
  found: T,
  url: string,
  options: ReadingOptions | undefined,
): T & { readonly packedLinks?: DocumentLinks } {
  if (options === undefined || found.links.length === 0) return found;
  const maxLinks = options.maxLinks ?? Number.POSITIVE_INFINITY;
  return { ...found, links: [], packedLinks: packListed(found.links, resolverOf(options.urlOptions)(url), maxLinks) };
}

if (parentPort === null) throw new OrbweaverError('INTERNAL', 'The conversion thread was started as a program.');
serve(parentPort, workerData as ConverterPlugins | undefined);
