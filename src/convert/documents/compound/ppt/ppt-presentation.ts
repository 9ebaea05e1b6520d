import type { DocumentBuilder } from '../../document-builder.ts';
import type { ByteReader } from '../byte-reader.ts';
import { PptPersist } from './ppt-persist.ts';
import { type PptRecord, pptChildren } from './ppt-records.ts';
import { isTitle, type PptText, PptTextReader } from './ppt-texts.ts';
import { PPT } from './ppt-types.ts';

interface Slide {
  readonly record: PptRecord | undefined;
  readonly id: number;
  readonly outline: PptText[];
}

const SLIDES = 0;
const MASTERS = 1;
const NOTES = 2;
const TARGET = 1;
const LOCATION = 3;
const COMMENT_TEXT = 1;
const HEADER = 1;
const FOOTER = 2;
const MAX_DEPTH = 20;
const NOTES_KIND = 2;

/** The slides of a presentation in their order, with titles as headings, notes, comments and links. */
export class PptPresentation {
  readonly #document: DocumentBuilder;
  readonly #reader: ByteReader;
  readonly #persist: PptPersist;
  readonly #texts: PptTextReader;
  readonly #addresses = new Map<number, string>();
  readonly #footers = new Set<string>();
  /** Where the slides lie that were read: a list may name one a thousand times. */
  readonly #read = new Set<number>();
  #slides = 0;

  constructor(document: DocumentBuilder, reader: ByteReader, edit: number) {
    this.#document = document;
    this.#reader = reader;
    this.#persist = new PptPersist(reader, edit);
    this.#texts = new PptTextReader(reader);
  }

  get slides(): number {
    return this.#slides;
  }

  read(): void {
    const document = this.#persist.document();
    if (document === undefined) {
      this.#readStrayTexts();
      return;
    }
    const lists = new Map<number, Slide[]>();
    for (const record of pptChildren(this.#reader, document)) {
      if (record.type === PPT.slideList) lists.set(record.instance, this.#readList(record));
      else if (record.type === PPT.externalObjects) this.#readAddresses(record);
    }
    const slides = lists.get(SLIDES) ?? [];
    this.#slides = slides.length;
    const notes = this.#notesBySlide(lists.get(NOTES) ?? []);
    for (const [index, slide] of slides.entries()) {
      if (index >= this.#document.budget.limits.maxPages) {
        this.#document.cutAt('pages');
        break;
      }
      if (this.#document.full || !this.#document.budget.hasTime()) return;
      this.#writeSlide(slide);
      const note = notes.get(slide.id);
      if (note !== undefined) this.#writeNotes(note);
    }
    for (const master of lists.get(MASTERS) ?? []) this.#writeMaster(master);
    this.#writeFooters(document);
  }

  #readList(list: PptRecord): Slide[] {
    const slides: Slide[] = [];
    let kind = 0;
    for (const record of pptChildren(this.#reader, list)) {
      const slide = slides.at(-1);
      if (record.type === PPT.slidePersist) {
        const reference = this.#reader.u32(record.start);
        const found = this.#persist.object(reference, PPT.slide, PPT.notes, PPT.mainMaster);
        slides.push({ record: found, id: this.#reader.u32(record.start + 12), outline: [] });
      } else if (record.type === PPT.textHeader) kind = this.#reader.u32(record.start);
      else if (slide !== undefined) this.#texts.take(record, kind, slide.outline);
    }
    return slides;
  }

  #notesBySlide(notes: readonly Slide[]): Map<number, PptRecord> {
    const bySlide = new Map<number, PptRecord>();
    for (const { record } of notes) {
      if (record === undefined) continue;
      for (const child of pptChildren(this.#reader, record)) {
        if (child.type === PPT.notesAtom) bySlide.set(this.#reader.u32(child.start), record);
      }
    }
    return bySlide;
  }

  #writeSlide({ record, outline }: Slide): void {
    if (record !== undefined && this.#read.has(record.start)) return;
    if (record !== undefined) this.#read.add(record.start);
    const texts: PptText[] = [];
    if (record !== undefined) {
      for (const child of pptChildren(this.#reader, record)) {
        if (child.type === PPT.drawing) this.#texts.shapes(child, outline, (text) => texts.push(text));
      }
    }
    // Texts that no shape shows: those of a slide that is lost, or of one that keeps them in the outline alone.
    const shown = new Set(texts.map(({ text }) => text));
    for (const text of outline) if (!shown.has(text.text)) texts.push(text);
    const title = texts.find(isTitle);
    if (title !== undefined) this.#write(title, true);
    for (const text of texts) if (text !== title) this.#write(text, false);
    if (record === undefined) return;
    this.#writeFooters(record);
    this.#writeComments(record, 0);
  }

  #writeNotes(notes: PptRecord): void {
    for (const child of pptChildren(this.#reader, notes)) {
      if (child.type !== PPT.drawing) continue;
      this.#texts.shapes(child, [], (text, isPlaceholder) => {
        // The other placeholders of a page of notes are its number, date and headers.
        if (!isPlaceholder || text.kind === NOTES_KIND) this.#write(text, false);
      });
    }
  }

  /** A master shows its own words on every slide; its placeholders only say where the slide's go. */
  #writeMaster({ record }: Slide): void {
    if (record === undefined) return;
    for (const child of pptChildren(this.#reader, record)) {
      if (child.type !== PPT.drawing) continue;
      this.#texts.shapes(child, [], (text, isPlaceholder) => {
        if (!isPlaceholder) this.#write(text, false);
      });
    }
  }

  /** Headers and footers of all slides, or of one; the same words are written once. */
  #writeFooters(parent: PptRecord): void {
    for (const container of pptChildren(this.#reader, parent)) {
      if (container.type !== PPT.headersFooters) continue;
      for (const record of pptChildren(this.#reader, container)) {
        if (record.type !== PPT.text || (record.instance !== HEADER && record.instance !== FOOTER)) continue;
        const text = this.#texts.atomText(record) ?? '';
        if (!this.#footers.has(text)) this.#document.paragraph(text);
        this.#footers.add(text);
      }
    }
  }

  #writeComments(parent: PptRecord, depth: number): void {
    for (const record of pptChildren(this.#reader, parent)) {
      if (record.type === PPT.comment) {
        for (const child of pptChildren(this.#reader, record)) {
          if (child.type === PPT.text && child.instance === COMMENT_TEXT) {
            this.#document.paragraph(this.#texts.atomText(child) ?? '');
          }
        }
      } else if (holdsRecords(record) && depth < MAX_DEPTH) {
        this.#writeComments(record, depth + 1);
      }
    }
  }

  #write(text: PptText, isHeading: boolean): void {
    for (const { reference, start, end } of text.links) {
      const address = this.#addresses.get(reference);
      if (address !== undefined) this.#document.link(address, end < 0 ? text.text : text.text.slice(start, end));
    }
    // Paragraphs end with a return, lines within them with a vertical tab; a star stands for a number or a date.
    if (text.text === '*') return;
    const wellFormed = text.text.toWellFormed();
    if (isHeading) this.#document.heading(2, wellFormed);
    else for (const paragraph of wellFormed.split('\r')) this.#document.paragraph(paragraph);
  }

  #readAddresses(objects: PptRecord): void {
    for (const record of pptChildren(this.#reader, objects)) {
      if (record.type !== PPT.hyperlink) continue;
      let id = 0;
      let target = '';
      let location = '';
      for (const child of pptChildren(this.#reader, record)) {
        if (child.type === PPT.hyperlinkAtom) id = this.#reader.u32(child.start);
        else if (child.type === PPT.text && child.instance === TARGET) target = this.#texts.atomText(child) ?? '';
        else if (child.type === PPT.text && child.instance === LOCATION) location = this.#texts.atomText(child) ?? '';
      }
      // Without a target the location is a slide of this presentation.
      if (target !== '') this.#addresses.set(id, location === '' ? target : `${target}#${location}`);
    }
  }

  /** Of a stream without its beginning or end: every text there is. */
  #readStrayTexts(): void {
    const visit = (parent: { start: number; end: number }, depth: number): void => {
      for (const record of pptChildren(this.#reader, parent)) {
        if (this.#document.full || !this.#document.budget.hasTime()) return;
        if (record.isContainer && depth < MAX_DEPTH) visit(record, depth + 1);
        else if (record.type === PPT.textChars || record.type === PPT.textBytes) {
          this.#write({ kind: 0, text: this.#texts.atomText(record) ?? '', links: [] }, false);
        }
      }
    };
    visit({ start: 0, end: this.#reader.length }, 0);
  }
}

/** Where comments may lie: additions of later versions are marked as data, and hold records all the same. */
function holdsRecords(record: PptRecord): boolean {
  return record.type === PPT.additions || (record.isContainer && record.type !== PPT.drawing);
}
