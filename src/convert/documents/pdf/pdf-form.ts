import type { PdfFunctions, PdfPointer } from './pdf-functions.ts';
import type { PdfMemory } from './pdf-memory.ts';

/** Size of the table of callbacks, generously; all of them are absent, so nothing in a form can act. */
const CALLBACKS_LENGTH = 512;
const CALLBACKS_VERSION = 2;
const COMBO_BOX = 4;
const TEXT_FIELD = 6;

/** The form of a PDF, for what was filled in. Scripts are never run: the engine has none. */
export class PdfForm {
  readonly #functions: PdfFunctions;
  readonly #memory: PdfMemory;
  readonly #callbacks: PdfPointer;
  readonly #form: PdfPointer;

  constructor(functions: PdfFunctions, memory: PdfMemory, document: PdfPointer) {
    this.#functions = functions;
    this.#memory = memory;
    const hasForm = functions._FPDF_GetFormType(document) > 0;
    this.#callbacks = hasForm ? functions._malloc(CALLBACKS_LENGTH) : 0;
    if (this.#callbacks === 0) {
      this.#form = 0;
      return;
    }
    functions.HEAPU8.fill(0, this.#callbacks, this.#callbacks + CALLBACKS_LENGTH);
    functions.HEAPU8[this.#callbacks] = CALLBACKS_VERSION;
    this.#form = functions._FPDFDOC_InitFormFillEnvironment(document, this.#callbacks);
  }

  /** The text in a field; '' for buttons and for what is left open. */
  valueOf(annotation: PdfPointer): string {
    if (this.#form === 0) return '';
    const type = this.#functions._FPDFAnnot_GetFormFieldType(this.#form, annotation);
    if (type < COMBO_BOX || type > TEXT_FIELD) return '';
    return this.#memory.text((buffer, size) =>
      this.#functions._FPDFAnnot_GetFormFieldValue(this.#form, annotation, buffer, size),
    );
  }

  /** Before the document is closed. */
  close(): void {
    if (this.#form !== 0) this.#functions._FPDFDOC_ExitFormFillEnvironment(this.#form);
    if (this.#callbacks !== 0) this.#functions._free(this.#callbacks);
  }
}
