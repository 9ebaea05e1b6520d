import type { Conversion, ConversionLimits } from '../../../contracts/content/document.ts';
import { ConversionBudget } from '../conversion-budget.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { readLinks, readNotes } from './pdf-annotations.ts';
import type { PdfEngine } from './pdf-engine.ts';
import { readOutline, readPdfFacts } from './pdf-facts.ts';
import { PdfForm } from './pdf-form.ts';
import type { PdfFunctions, PdfPointer } from './pdf-functions.ts';
import { writeLines } from './pdf-layout.ts';
import { PdfMemory } from './pdf-memory.ts';
import { type PdfLine, readPageLines } from './pdf-page-lines.ts';
import { readXmp, withXmp } from './pdf-xmp.ts';

const WRONG_PASSWORD = 4;
const UNKNOWN_SECURITY = 5;
/** The rest of the time is for making paragraphs of the lines. */
const READING_SHARE = 0.8;

/** What was found on the pages so far. */
interface FoundText {
  readonly lines: PdfLine[];
  readonly notes: string[];
  outline: ReadonlyMap<string, number>;
  /** Characters that still fit. */
  room: number;
}

/** PDF in this thread: text, headings, notes, links, metadata. A single page can take forever: only `PdfWorker` ends it. */
export async function readPdf(bytes: Uint8Array, limits: ConversionLimits, engine: PdfEngine): Promise<Conversion> {
  const functions = await engine.functions();
  const document = new DocumentBuilder(new ConversionBudget(limits));
  const found: FoundText = { lines: [], notes: [], outline: new Map(), room: limits.maxText };
  let isSound = false;
  try {
    const failure = readFile(functions, bytes, document, found);
    isSound = true;
    if (failure !== undefined) return failure;
  } catch {
    // The engine traps where it lacks memory or runs into its own mistakes; the pages before are good.
    if (found.lines.length === 0) return givenUp(engine);
    document.cutAt('size');
  } finally {
    engine.release(functions, isSound);
  }
  writeLines(found.lines, found.outline, document);
  for (const note of found.notes) document.paragraph(note);
  if (found.room <= 0) document.cutAt('text');
  return document.finish();
}

function givenUp(engine: PdfEngine): Conversion {
  return engine.ranOutOfMemory
    ? { kind: 'unreadable', why: 'too-large', detail: 'it takes more memory than the PDF engine may have' }
    : { kind: 'unreadable', why: 'broken', detail: 'the PDF engine gave up' };
}

/** Fills `found` and the facts and links of the document; answers only where it could not be opened. */
function readFile(
  functions: PdfFunctions,
  bytes: Uint8Array,
  document: DocumentBuilder,
  found: FoundText,
): Conversion | undefined {
  const at = functions._malloc(bytes.length);
  if (at === 0) return { kind: 'unreadable', why: 'too-large', detail: 'more than the PDF engine may hold' };
  functions.HEAPU8.set(bytes, at);
  const handle = functions._FPDF_LoadMemDocument(at, bytes.length, 0);
  if (handle === 0) {
    const error = functions._FPDF_GetLastError();
    functions._free(at);
    return error === WRONG_PASSWORD || error === UNKNOWN_SECURITY
      ? { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' }
      : { kind: 'unreadable', why: 'broken', detail: 'not a PDF that can be read' };
  }
  const memory = new PdfMemory(functions);
  Object.assign(document.facts, withXmp(readPdfFacts(functions, memory, handle), readXmp(bytes)));
  found.outline = readOutline(functions, memory, handle);
  readPages(functions, memory, handle, document, found);
  memory.free();
  functions._FPDF_CloseDocument(handle);
  functions._free(at);
  return undefined;
}

function readPages(
  functions: PdfFunctions,
  memory: PdfMemory,
  handle: PdfPointer,
  document: DocumentBuilder,
  found: FoundText,
): void {
  const { maxPages, maxMs } = document.budget.limits;
  const readUntil = performance.now() + maxMs * READING_SHARE;
  const pages = functions._FPDF_GetPageCount(handle);
  if (pages > 0) document.facts.pages = pages;
  if (pages > maxPages) document.cutAt('pages');
  const form = new PdfForm(functions, memory, handle);
  for (let index = 0; index < Math.min(pages, maxPages) && found.room > 0; index++) {
    if (performance.now() > readUntil) {
      document.cutAt('time');
      break;
    }
    const page = functions._FPDF_LoadPage(handle, index);
    if (page === 0) continue;
    const text = functions._FPDFText_LoadPage(page);
    if (text !== 0) {
      for (const line of readPageLines(functions, memory, text, index, found.room + 1)) {
        found.lines.push(line);
        found.room -= line.text.length;
      }
      const open = { document: handle, page, text };
      for (const note of readNotes(functions, memory, open, form)) {
        found.notes.push(note);
        found.room -= note.length;
      }
      readLinks(functions, memory, open, (url, shown) => document.link(url, shown));
      functions._FPDFText_ClosePage(text);
    }
    functions._FPDF_ClosePage(page);
  }
  form.close();
}
