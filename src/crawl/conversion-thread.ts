/** The body of the conversion thread: one document at a time, bytes to text. Started by crawl/document-converter.ts. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { OrbweaverError } from '../base/errors.ts';
import type { ConversionLimits } from '../contracts/document.ts';
import { readPdf } from '../convert/documents/pdf-document.ts';
import { PdfEngine } from '../convert/documents/pdf-engine.ts';
import { convertToText } from './convert-to-text.ts';

export interface ConversionOrder {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly url: string;
  readonly limits: ConversionLimits;
}

function serve(port: MessagePort): void {
  const engine = new PdfEngine();
  // PDFs are read right here: this thread can be ended like the one that they would get elsewhere.
  const pdfReader = { convert: (bytes: Uint8Array, limits: ConversionLimits) => readPdf(bytes, limits, engine) };
  port.on('message', ({ bytes, mediaType, url, limits }: ConversionOrder) => {
    void convertToText(bytes, mediaType, url, limits, pdfReader).then((answer) => port.postMessage(answer));
  });
}

if (parentPort === null) throw new OrbweaverError('INTERNAL', 'The conversion thread was started as a program.');
serve(parentPort);
