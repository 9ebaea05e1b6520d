/** The body of the conversion thread: one document at a time, bytes to text. Started by crawl/document-converter.ts. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { OrbweaverError } from '../base/errors.ts';
import type { Conversion, ConversionLimits, ConvertedDocument } from '../contracts/document.ts';
import { type ConvertOptions, convertDocument } from '../convert/documents/convert-document.ts';
import { readPdf } from '../convert/documents/pdf-document.ts';
import { PdfEngine } from '../convert/documents/pdf-engine.ts';
import { renderText } from '../convert/documents/render-blocks.ts';

export interface ConversionOrder {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly url: string;
  readonly limits: ConversionLimits;
}

/** A document without its structure: what a crawl keeps of it. */
export type ConvertedText =
  | { readonly kind: 'converted'; readonly text: string; readonly document: Omit<ConvertedDocument, 'blocks'> }
  | Exclude<Conversion, { kind: 'converted' }>;

/** PDFs are read right here: this thread can be ended like the one that they would get elsewhere. */
type PdfReader = NonNullable<ConvertOptions['pdfWorker']>;

async function convert(order: ConversionOrder, pdfWorker: PdfReader): Promise<ConvertedText> {
  const { bytes, mediaType, url, limits } = order;
  const conversion = await convertDocument(bytes, { mediaType, url, limits, pdfWorker });
  if (conversion.kind !== 'converted') return conversion;
  const { blocks, ...document } = conversion.document;
  return { kind: 'converted', text: renderText(blocks), document };
}

function serve(port: MessagePort): void {
  const engine = new PdfEngine();
  const pdfReader: PdfReader = { convert: (bytes, limits) => readPdf(bytes, limits, engine) };
  port.on('message', (order: ConversionOrder | 'close') => {
    if (order === 'close') port.close();
    else void convert(order, pdfReader).then((answer) => port.postMessage(answer));
  });
}

if (parentPort === null) throw new OrbweaverError('INTERNAL', 'The conversion thread was started as a program.');
serve(parentPort);
