import { isUtf8 } from 'node:buffer';
import { timeOf } from '../../../base/dates/calendar.ts';
import type { DocumentFacts } from '../document-builder.ts';
import type { PdfFunctions, PdfPointer } from './pdf-functions.ts';
import { titleKey } from './pdf-layout.ts';
import type { PdfMemory } from './pdf-memory.ts';

const MAX_BOOKMARKS = 5_000;
const MAX_DEPTH = 8;

/** What the information dictionary of a PDF says. */
export function readPdfFacts(functions: PdfFunctions, memory: PdfMemory, document: PdfPointer): DocumentFacts {
  const text = (name: string) =>
    withoutMojibake(
      memory.text((buffer, size) => functions._FPDF_GetMetaText(document, memory.key(name), buffer, size)),
    );
  const created = parsePdfDate(text('CreationDate'));
  const modified = parsePdfDate(text('ModDate'));
  const keywords = text('Keywords');
  return {
    title: text('Title'),
    authors: text('Author').split(/\s*;\s*/),
    description: text('Subject'),
    ...(keywords === '' ? {} : { keywords: keywords.split(/[,;]/) }),
    ...(created === undefined ? {} : { created }),
    ...(modified === undefined ? {} : { modified }),
  };
}

/** Some writers put UTF-8 where Latin letters belong. */
function withoutMojibake(text: string): string {
  if (!/[\xc2-\xf4][\x80-\xbf]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** ms since the epoch of D:20110924080000+02'00' and its shorter forms. */
export function parsePdfDate(text: string): number | undefined {
  const found = /^\s*(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:([+-])(\d\d)'?(\d\d)?)?/.exec(text);
  if (found === null) return undefined;
  const part = (index: number, absent: number) => (found[index] === undefined ? absent : Number(found[index]));
  if (part(1, 0) < 1970) return undefined;
  const zone = (part(8, 0) * 60 + part(9, 0)) * (found[7] === '-' ? -1 : 1);
  const [hour, minute, second] = [part(4, 0), part(5, 0), part(6, 0)];
  return timeOf({ year: part(1, 0), month: part(2, 1), day: part(3, 1), hour, minute, second, zone });
}

/** The titles of the outline with their levels: they tell which lines are headings. */
export function readOutline(functions: PdfFunctions, memory: PdfMemory, document: PdfPointer): Map<string, number> {
  const titles = new Map<string, number>();
  let left = MAX_BOOKMARKS;
  const visit = (parent: PdfPointer, level: number): void => {
    let bookmark = functions._FPDFBookmark_GetFirstChild(document, parent);
    // An outline that runs in a circle ends with the count.
    while (bookmark !== 0 && left > 0) {
      left--;
      const at = bookmark;
      const key = titleKey(memory.text((buffer, size) => functions._FPDFBookmark_GetTitle(at, buffer, size)));
      if (key !== '' && !titles.has(key)) titles.set(key, level);
      if (level < MAX_DEPTH) visit(bookmark, level + 1);
      bookmark = functions._FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  visit(0, 1);
  return titles;
}
