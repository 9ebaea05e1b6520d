/** The body of the conversion thread: one document at a time, bytes to text. Started by crawl/document-converter.ts. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { OrbweaverError } from '../base/errors.ts';
import type { ConversionLimits } from '../contracts/document.ts';
import { readPdf } from '../convert/documents/pdf-document.ts';
import { PdfEngine } from '../convert/documents/pdf-engine.ts';
import { type ConvertedText, convertToText } from './convert-to-text.ts';
import type { DescriberLooks, DocumentDescriber } from './document-describer.ts';
import type { DocumentReader } from './document-reader.ts';
import type { ReadList } from './list-reader.ts';
import type { PageOrder, ReadingOptions, ReadPage } from './page-reader.ts';
import type { Understood } from './understood.ts';

/** What the thread is asked to do, and what it answers to that. */
export interface ThreadWork {
  readonly text: {
    readonly order: {
      readonly kind: 'text';
      readonly bytes: Uint8Array;
      readonly mediaType: string;
      readonly url: string;
      readonly limits: ConversionLimits;
    };
    readonly answer: ConvertedText;
  };
  readonly page: {
    readonly order: {
      readonly kind: 'page';
      readonly source: Uint8Array | string;
      readonly url: string;
      readonly linkCount: number;
      readonly looks: DescriberLooks;
    };
    readonly answer: Understood;
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
    };
    readonly answer: ReadList | undefined;
  };
}

export type ConversionOrder = ThreadWork[keyof ThreadWork]['order'];

function serve(port: MessagePort): void {
  const engine = new PdfEngine();
  // PDFs are read right here: this thread can be ended like the one that they would get elsewhere.
  const pdfReader = { convert: (bytes: Uint8Array, limits: ConversionLimits) => readPdf(bytes, limits, engine) };

  let describer: DocumentDescriber | undefined;
  let reader: DocumentReader | undefined;

  const answerTo = async (order: ConversionOrder): Promise<ThreadWork[keyof ThreadWork]['answer']> => {
    switch (order.kind) {
      case 'text':
        return convertToText(order.bytes, order.mediaType, order.url, order.limits, pdfReader);
      case 'page': {
        const { DocumentDescriber } = await import('./document-describer.ts');
        describer ??= new DocumentDescriber(order.looks);
        return describer.html(order.source, order.url, order.linkCount);
      }
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
        return read(order.bytes, order.url, order.mediaType);
      }
    }
  };
  // A fault ends the thread: whoever waits is told, and the next document gets a new one.
  port.on('message', (order: ConversionOrder) => void answerTo(order).then((answer) => port.postMessage(answer)));
}

if (parentPort === null) throw new OrbweaverError('INTERNAL', 'The conversion thread was started as a program.');
serve(parentPort);
