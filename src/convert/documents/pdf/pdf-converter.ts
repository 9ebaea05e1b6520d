import type { Conversion, ConversionLimits } from '../../../contracts/content/document.ts';
import { PdfWorker } from './pdf-worker.ts';

/** A PDF as blocks and links. Whoever has many hands in the worker that is kept for them; without it one is started. */
export async function convertPdf(
  bytes: Uint8Array,
  limits: ConversionLimits,
  worker?: Pick<PdfWorker, 'convert'>,
): Promise<Conversion> {
  // Engines take junk before the mark; a file without it they would search to its end for objects.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4_096)).includes('%PDF-')) {
    return { kind: 'unreadable', why: 'broken', detail: 'does not begin as PDF does' };
  }
  if (worker !== undefined) return worker.convert(bytes, limits);
  await using own = new PdfWorker();
  return await own.convert(bytes, limits);
}
