import type { PdfForm } from './pdf-form.ts';
import type { PdfFunctions, PdfPointer } from './pdf-functions.ts';
import type { PdfMemory } from './pdf-memory.ts';

const LINK = 2;
const POPUP = 16;
const WIDGET = 20;
/** Of a page, whatever it claims. */
const MAX_ANNOTATIONS = 5_000;

/** A page that is open, and its text. */
export interface OpenPdfPage {
  readonly document: PdfPointer;
  readonly page: PdfPointer;
  readonly text: PdfPointer;
}

/** Comments, notes and filled-in form fields of a page, each once. */
export function readNotes(
  functions: PdfFunctions,
  memory: PdfMemory,
  { page }: OpenPdfPage,
  form: PdfForm,
): Iterable<string> {
  const notes = new Set<string>();
  const key = memory.key('Contents');
  const count = Math.min(functions._FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  for (let i = 0; i < count; i++) {
    const annotation = functions._FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    const subtype = functions._FPDFAnnot_GetSubtype(annotation);
    if (subtype === WIDGET) notes.add(form.valueOf(annotation));
    // A popup repeats the note it belongs to.
    else if (subtype !== LINK && subtype !== POPUP) {
      notes.add(memory.text((buffer, size) => functions._FPDFAnnot_GetStringValue(annotation, key, buffer, size)));
    }
    functions._FPDFPage_CloseAnnot(annotation);
  }
  return notes;
}

/** The links of a page: those one can click, then addresses in its text. */
export function readLinks(
  functions: PdfFunctions,
  memory: PdfMemory,
  { document, page, text }: OpenPdfPage,
  each: (url: string, text: string) => void,
): void {
  let position = 0;
  for (let found = 0; found < MAX_ANNOTATIONS; found++) {
    memory.setU32(0, position);
    if (functions._FPDFLink_Enumerate(page, memory.scratch, memory.scratch + 4) === 0) break;
    position = memory.u32(0);
    const link = memory.u32(4);
    const action = functions._FPDFLink_GetAction(link);
    if (action === 0) continue;
    const url = memory.bytes((buffer, size) => functions._FPDFAction_GetURIPath(document, action, buffer, size));
    if (url !== '') each(url, textUnder(functions, memory, text, link));
  }
  const addresses = functions._FPDFLink_LoadWebLinks(text);
  if (addresses === 0) return;
  const count = Math.min(functions._FPDFLink_CountWebLinks(addresses), MAX_ANNOTATIONS);
  for (let i = 0; i < count; i++) {
    const units = functions._FPDFLink_GetURL(addresses, i, memory.scratch, memory.units);
    if (units <= 1 || units > memory.units) continue;
    // Quotation marks and full stops around an address are not of it.
    const url = memory.utf16(units - 1).replace(/[\u2019\u201d\u00bb.,;:]+$/, '');
    each(url, url);
  }
  functions._FPDFLink_CloseWebLinks(addresses);
}

function textUnder(functions: PdfFunctions, memory: PdfMemory, text: PdfPointer, link: PdfPointer): string {
  if (functions._FPDFLink_GetAnnotRect(link, memory.scratch) === 0) return '';
  const [left, top, right, bottom] = memory.floats(4);
  const room = memory.units - 1;
  const units = functions._FPDFText_GetBoundedText(text, left, top, right, bottom, memory.scratch, room);
  return units <= 0 ? '' : memory.utf16(Math.min(units, room)).replace(/\0.*$/s, '');
}
