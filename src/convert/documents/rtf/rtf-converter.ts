import type { Conversion, ConversionLimits } from '../../../contracts/content/document.ts';
import { ConversionBudget } from '../conversion-budget.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { RtfDocument } from './rtf-document.ts';
import { readRtf } from './rtf-reader.ts';

/** Rich Text Format: paragraphs, headings, tables, links, notes and the information group. */
export function convertRtf(bytes: Uint8Array, limits: ConversionLimits): Conversion {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (!/^\s*\{\\rt/.test(String.fromCharCode(...bytes.subarray(start, start + 32)))) {
    return { kind: 'unreadable', why: 'broken', detail: 'does not begin as RTF does' };
  }
  const document = new DocumentBuilder(new ConversionBudget(limits));
  const rtf = new RtfDocument(document);
  readRtf(bytes.subarray(start), rtf);
  rtf.finish();
  return document.finish();
}
