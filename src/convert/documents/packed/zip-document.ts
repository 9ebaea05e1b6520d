import type { Conversion, ConversionLimits } from '../../../contracts/content/document.ts';
import { ConversionBudget } from '../conversion-budget.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { readDocx } from '../open-xml/docx-document.ts';
import { readPptx } from '../open-xml/pptx-document.ts';
import { readXlsx } from '../open-xml/xlsx-document.ts';
import { readEpub } from './epub-document.ts';
import { readOdf } from './odf-document.ts';
import { ZipArchive } from './zip-archive.ts';

export type ZipDocumentKind = 'docx' | 'xlsx' | 'pptx' | 'odf' | 'epub';

const READERS = { docx: readDocx, xlsx: readXlsx, pptx: readPptx, odf: readOdf, epub: readEpub } as const;

/** Documents that are zip archives of XML. */
export function convertZipDocument(kind: ZipDocumentKind, bytes: Uint8Array, limits: ConversionLimits): Conversion {
  const budget = new ConversionBudget(limits);
  const builder = new DocumentBuilder(budget);
  const problem = READERS[kind](new ZipArchive(bytes, budget), builder);
  if (problem === 'encrypted') return { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' };
  return builder.finish(problem);
}
