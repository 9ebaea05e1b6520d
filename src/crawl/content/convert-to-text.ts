import type { Conversion, ConversionLimits, ConvertedDocument } from '../../contracts/content/document.ts';
import { type ConvertOptions, convertDocument } from '../../convert/documents/convert-document.ts';
import { renderText } from '../../convert/documents/render-blocks.ts';

/** A document without its structure: what a crawl keeps of it. */
export type ConvertedText =
  | { readonly kind: 'converted'; readonly text: string; readonly document: Omit<ConvertedDocument, 'blocks'> }
  | Exclude<Conversion, { kind: 'converted' }>;

/** Never rejects. */
export async function convertToText(
  bytes: Uint8Array,
  mediaType: string,
  url: string,
  limits?: ConversionLimits,
  pdfWorker?: ConvertOptions['pdfWorker'],
): Promise<ConvertedText> {
  const conversion = await convertDocument(bytes, {
    ...{ mediaType, url },
    ...(limits === undefined ? {} : { limits }),
    ...(pdfWorker === undefined ? {} : { pdfWorker }),
  });
  if (conversion.kind !== 'converted') return conversion;
  const { blocks, ...document } = conversion.document;
  return { kind: 'converted', text: renderText(blocks), document };
}
