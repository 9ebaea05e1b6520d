import type { ByteReader } from '../byte-reader.ts';
import { type PptRecord, pptChildren } from './ppt-records.ts';
import { PPT } from './ppt-types.ts';

/** One text of a slide. */
export interface PptText {
  /** Kind by its header: 0 title, 1 body, 2 notes, 4 other, 5 and 7 and 8 bodies, 6 title in the middle. */
  readonly kind: number;
  readonly text: string;
  /** Links on parts of it: the reference of the hyperlink, start and end. */
  readonly links: { readonly reference: number; readonly start: number; readonly end: number }[];
}

const TITLE = 0;
const CENTER_TITLE = 6;
const OTHER = 4;
const MAX_DEPTH = 40;

export function isTitle(text: PptText): boolean {
  return text.kind === TITLE || text.kind === CENTER_TITLE;
}

/** The texts that lie one after the other in a list or a text box; a header tells the kind of what follows. */
export class PptTextReader {
  readonly #reader: ByteReader;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** The text of an atom; undefined where it is none. */
  atomText(record: PptRecord): string | undefined {
    const length = record.end - record.start;
    if (record.type === PPT.textChars || record.type === PPT.text) {
      return this.#reader.utf16(record.start, length >> 1);
    }
    if (record.type !== PPT.textBytes) return undefined;
    // One byte is the lower half of a UTF-16 unit.
    const bytes = this.#reader.bytes(record.start, length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }

  /** `outline` are the texts of the slide that its boxes refer to. */
  box(box: PptRecord, outline: readonly PptText[]): PptText[] {
    const texts: PptText[] = [];
    let kind = OTHER;
    for (const record of pptChildren(this.#reader, box)) {
      if (record.type === PPT.textHeader) kind = this.#reader.u32(record.start);
      else if (record.type === PPT.outlineTextReference) {
        const referred = outline[this.#reader.u32(record.start)];
        if (referred !== undefined) texts.push(referred);
      } else this.take(record, kind, texts);
    }
    return texts;
  }

  /** All texts in the shapes of a slide, in the order they are drawn; a shape that is a link without text comes as ''. */
  shapes(drawing: PptRecord, outline: readonly PptText[], each: (text: PptText, isPlaceholder: boolean) => void): void {
    const visit = (parent: PptRecord, depth: number): void => {
      let isPlaceholder = false;
      let whole: PptText | undefined;
      for (const record of pptChildren(this.#reader, parent)) {
        if (record.type === PPT.clientData) {
          isPlaceholder = this.#hasPlaceholder(record);
          whole = this.#linkOfShape(record);
        } else if (record.type === PPT.clientTextbox) {
          for (const text of this.box(record, outline)) {
            each(whole === undefined ? text : { ...text, links: [...whole.links, ...text.links] }, isPlaceholder);
            whole = undefined;
          }
        } else if (record.isContainer && depth < MAX_DEPTH) visit(record, depth + 1);
      }
      if (whole !== undefined) each(whole, isPlaceholder);
    };
    visit(drawing, 0);
  }

  #linkOfShape(data: PptRecord): PptText | undefined {
    const texts: PptText[] = [{ kind: OTHER, text: '', links: [] }];
    for (const record of pptChildren(this.#reader, data)) {
      if (record.type === PPT.interaction) this.#takeLink(record, texts);
    }
    return texts[0].links.length === 0 ? undefined : texts[0];
  }

  #hasPlaceholder(data: PptRecord): boolean {
    for (const record of pptChildren(this.#reader, data)) if (record.type === PPT.placeholder) return true;
    return false;
  }

  /** A text, or a link on the text before. */
  take(record: PptRecord, kind: number, texts: PptText[]): void {
    const text = this.atomText(record);
    if (text !== undefined) texts.push({ kind, text, links: [] });
    else if (record.type === PPT.interaction) this.#takeLink(record, texts);
    else if (record.type === PPT.textInteraction) this.#endLink(record, texts);
  }

  #takeLink(interaction: PptRecord, texts: readonly PptText[]): void {
    const text = texts.at(-1);
    for (const record of pptChildren(this.#reader, interaction)) {
      if (record.type !== PPT.interactionAtom) continue;
      const reference = this.#reader.u32(record.start + 4);
      if (reference > 0) text?.links.push({ reference, start: 0, end: -1 });
    }
  }

  #endLink(record: PptRecord, texts: readonly PptText[]): void {
    const links = texts.at(-1)?.links;
    const last = links?.pop();
    if (last === undefined) return;
    links?.push({ ...last, start: this.#reader.u32(record.start), end: this.#reader.u32(record.start + 4) });
  }
}
