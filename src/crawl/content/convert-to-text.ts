import type { Conversion, ConversionLimits, ConvertedDocument } from '../../contracts/content/document.ts';
import { type ConvertOptions, convertDocument } from '../../convert/documents/convert-document.ts';
import { renderText } from '../../convert/documents/render-blocks.ts';
import { hasStructure, renderHtml } from '../../convert/documents/render-html.ts';

/** What a crawl keeps of a document: its text, and a page that keeps its structure, where it has one. */
export type ConvertedText =
  | {
      readonly kind: 'converted';
      readonly text: string;
      readonly html?: string;
      readonly document: Omit<ConvertedDocument, 'blocks'>;
    }
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
  const text = renderText(blocks);
  const html = text !== '' && hasStructure(conversion.document) ? { html: renderHtml(conversion.document) } : {};
  return { kind: 'converted', text, ...html, document };
}
