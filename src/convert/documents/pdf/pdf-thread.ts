// The thread in which `PdfWorker` has PDFs read: one document comes in, one conversion goes out.

import { parentPort } from 'node:worker_threads';
import type { ConversionLimits } from '../../../contracts/content/document.ts';
import { readPdf } from './pdf-document.ts';
import { PdfEngine } from './pdf-engine.ts';

export interface PdfOrder {
  readonly bytes: Uint8Array;
  readonly limits: ConversionLimits;
}

const engine = new PdfEngine();

parentPort?.on('message', async ({ bytes, limits }: PdfOrder) => {
  parentPort?.postMessage(await readPdf(bytes, limits, engine));
});
