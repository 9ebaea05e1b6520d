/** Addresses within the memory of the PDF engine, and handles of its objects. */
export type PdfPointer = number;

/** What is used of the engine's C interface. Booleans are numbers; texts are written to a buffer and are UTF-16. */
export interface PdfFunctions {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number } };
  _malloc(size: number): PdfPointer;
  _free(at: PdfPointer): void;
  _FPDF_InitLibraryWithConfig(config: PdfPointer): void;
  _FPDF_LoadMemDocument(at: PdfPointer, size: number, password: PdfPointer): PdfPointer;
  _FPDF_CloseDocument(document: PdfPointer): void;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: PdfPointer): number;
  _FPDF_GetMetaText(document: PdfPointer, key: PdfPointer, buffer: PdfPointer, size: number): number;
  _FPDF_LoadPage(document: PdfPointer, index: number): PdfPointer;
  _FPDF_ClosePage(page: PdfPointer): void;
  _FPDFText_LoadPage(page: PdfPointer): PdfPointer;
  _FPDFText_ClosePage(text: PdfPointer): void;
  _FPDFText_CountChars(text: PdfPointer): number;
  _FPDFText_GetUnicode(text: PdfPointer, index: number): number;
  _FPDFText_GetCharAngle(text: PdfPointer, index: number): number;
  _FPDFText_GetFontSize(text: PdfPointer, index: number): number;
  _FPDFText_GetMatrix(text: PdfPointer, index: number, matrix: PdfPointer): number;
  _FPDFText_GetCharOrigin(text: PdfPointer, index: number, x: PdfPointer, y: PdfPointer): number;
  _FPDFText_GetLooseCharBox(text: PdfPointer, index: number, rectangle: PdfPointer): number;
  _FPDFText_GetBoundedText(
    text: PdfPointer,
    left: number,
    top: number,
    right: number,
    bottom: number,
    buffer: PdfPointer,
    units: number,
  ): number;
  _FPDFLink_LoadWebLinks(text: PdfPointer): PdfPointer;
  _FPDFLink_CountWebLinks(links: PdfPointer): number;
  _FPDFLink_GetURL(links: PdfPointer, index: number, buffer: PdfPointer, units: number): number;
  _FPDFLink_CloseWebLinks(links: PdfPointer): void;
  _FPDFLink_Enumerate(page: PdfPointer, position: PdfPointer, link: PdfPointer): number;
  _FPDFLink_GetAction(link: PdfPointer): PdfPointer;
  _FPDFLink_GetAnnotRect(link: PdfPointer, rectangle: PdfPointer): number;
  _FPDFAction_GetURIPath(document: PdfPointer, action: PdfPointer, buffer: PdfPointer, size: number): number;
  _FPDFPage_GetAnnotCount(page: PdfPointer): number;
  _FPDFPage_GetAnnot(page: PdfPointer, index: number): PdfPointer;
  _FPDFPage_CloseAnnot(annotation: PdfPointer): void;
  _FPDFAnnot_GetSubtype(annotation: PdfPointer): number;
  _FPDFAnnot_GetStringValue(annotation: PdfPointer, key: PdfPointer, buffer: PdfPointer, size: number): number;
  _FPDF_GetFormType(document: PdfPointer): number;
  _FPDFDOC_InitFormFillEnvironment(document: PdfPointer, callbacks: PdfPointer): PdfPointer;
  _FPDFDOC_ExitFormFillEnvironment(form: PdfPointer): void;
  _FPDFAnnot_GetFormFieldType(form: PdfPointer, annotation: PdfPointer): number;
  _FPDFAnnot_GetFormFieldValue(form: PdfPointer, annotation: PdfPointer, buffer: PdfPointer, size: number): number;
  _FPDFBookmark_GetFirstChild(document: PdfPointer, bookmark: PdfPointer): PdfPointer;
  _FPDFBookmark_GetNextSibling(document: PdfPointer, bookmark: PdfPointer): PdfPointer;
  _FPDFBookmark_GetTitle(bookmark: PdfPointer, buffer: PdfPointer, size: number): number;
}
