import type { Conversion, ConversionLimits } from '../../../../contracts/content/document.ts';
import { ConversionBudget } from '../../conversion-budget.ts';
import { DocumentBuilder } from '../../document-builder.ts';
import { summaryOf } from '../cfb-properties.ts';
import { CompoundFile } from '../cfb-reader.ts';
import { xlsRecords } from './xls-records.ts';
import { XlsWorkbook } from './xls-workbook.ts';

/** Excel workbooks of the binary formats, Excel 2 to 2003: sheets as tables, text boxes, comments, links. */
export function convertXls(bytes: Uint8Array, limits: ConversionLimits): Conversion {
  const document = new DocumentBuilder(new ConversionBudget(limits));
  const stream = workbookIn(bytes, document);
  if (!(stream instanceof Uint8Array)) return stream;
  const workbook = new XlsWorkbook(document);
  for (const record of xlsRecords(stream)) if (!workbook.take(record)) break;
  if (workbook.isEncrypted) return { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' };
  workbook.finish();
  if (workbook.sheets === 0) return { kind: 'unreadable', why: 'broken', detail: 'no sheets' };
  document.facts.pages = workbook.sheets;
  return document.finish();
}

function workbookIn(bytes: Uint8Array, document: DocumentBuilder): Uint8Array | Conversion {
  const file = CompoundFile.open(bytes);
  if (file === undefined) {
    // Before Excel 5 the records were the file.
    const isRecords = bytes[0] === 0x09 && bytes[1] <= 0x08 && bytes[3] === 0;
    return isRecords ? bytes : { kind: 'unreadable', why: 'broken', detail: 'neither a compound file nor records' };
  }
  if (file.has('EncryptedPackage')) return { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' };
  Object.assign(document.facts, summaryOf(file));
  return (
    file.stream('Workbook') ??
    file.stream('Book') ?? { kind: 'unreadable', why: 'broken', detail: 'no stream Workbook' }
  );
}
