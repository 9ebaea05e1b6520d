import type { DocumentBuilder } from '../../document-builder.ts';
import { hyperlinkOf } from '../../open-xml/field-instruction.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { CodePages } from '../code-page.ts';
import type { DocFib } from './doc-fib.ts';
import type { DocLists } from './doc-lists.ts';
import { type DocParagraph, PLAIN_PARAGRAPH, withProperties } from './doc-paragraph.ts';
import type { DocPiece } from './doc-pieces.ts';
import { type DocPropertyPages, eachProperty, type PropertyRun } from './doc-properties.ts';
import type { DocStyles } from './doc-styles.ts';
import { Story } from './story.ts';

/** What the text of a Word document is read with. */
export interface DocParts {
  readonly fib: DocFib;
  readonly stream: ByteReader;
  readonly pieces: readonly DocPiece[];
  readonly characters: DocPropertyPages;
  readonly paragraphs: DocPropertyPages;
  readonly styles: DocStyles;
  readonly lists: DocLists;
  readonly codePages: CodePages;
}

interface Field {
  instruction: string;
  text: string;
  inResult: boolean;
}

const DELETED = 0x0800;
const SYMBOL = 0x6a09;
/** Longer ones were never meant as instructions. */
const MAX_INSTRUCTION = 4_000;
const MAX_FIELDS = 50;
const CHUNK = 4_096;
const MACROS = 3;

/** The stories of a Word document, character by character: text, paragraph marks, cells, fields. */
export class DocText {
  readonly #document: DocumentBuilder;
  readonly #parts: DocParts;
  readonly #fields: Field[] = [];
  #story: Story;
  #run: PropertyRun | undefined;
  #isDropped = false;
  #isSymbol = false;
  #endedCell = false;

  constructor(document: DocumentBuilder, parts: DocParts) {
    this.#document = document;
    this.#parts = parts;
    this.#story = new Story(document, true);
  }

  read(): void {
    let start = 0;
    for (const [index, length] of this.#parts.fib.storyLengths.entries()) {
      this.#story = new Story(this.#document, true);
      this.#fields.length = 0;
      if (index !== MACROS) this.#readRange(start, start + length);
      this.#story.end(PLAIN_MARKS);
      start += length;
    }
  }

  #readRange(start: number, end: number): void {
    for (const piece of this.#parts.pieces) {
      if (piece.end <= start) continue;
      if (piece.start >= end) break;
      const last = Math.min(piece.end, end);
      for (let at = Math.max(piece.start, start); at < last; at += CHUNK) {
        if (this.#document.full || !this.#document.budget.hasTime()) return;
        const offset = piece.offset + (at - piece.start) * piece.width;
        // Nothing comes behind the end of the stream.
        if (offset >= this.#parts.stream.length) break;
        this.#readChunk(offset, Math.min(CHUNK, last - at), piece.width);
      }
    }
  }

  #readChunk(offset: number, length: number, width: 1 | 2): void {
    const { stream, codePages, fib } = this.#parts;
    const text =
      width === 2 ? stream.utf16(offset, length) : codePages.decode(stream.bytes(offset, length), fib.codePage);
    for (let i = 0; i < text.length; i++) {
      const place = offset + i * width;
      this.#lookAtRun(place);
      // What has the same properties and no meaning of its own is written at once.
      const end = Math.min(text.length, i + Math.max(1, Math.floor(((this.#run?.end ?? 0) - place) / width)));
      let stop = i;
      if (!this.#isSymbol) while (stop < end && text.charCodeAt(stop) >= 0x20) stop++;
      if (stop > i) {
        if (!this.#isDropped) this.#write(text.slice(i, stop));
        i = stop - 1;
      } else if (!this.#isDropped) this.#take(text.charCodeAt(i), text[i], place);
    }
  }

  #lookAtRun(place: number): void {
    if (this.#run !== undefined && place >= this.#run.start && place < this.#run.end) return;
    this.#run = this.#parts.characters.runAt(place) ?? this.#parts.characters.gapAt(place);
    this.#isDropped = false;
    this.#isSymbol = false;
    eachProperty(this.#run.properties, (property, at, reader) => {
      if (property === DELETED) this.#isDropped = (reader.u8(at) & 1) !== 0;
      else if (property === SYMBOL) this.#isSymbol = true;
    });
  }

  #take(code: number, character: string, place: number): void {
    if (code >= 0x20) {
      // The sign is told by a font and a number; the character is a stand-in.
      this.#write(this.#isSymbol && code === 0x28 ? ' ' : character);
      return;
    }
    switch (code) {
      case 0x07:
        this.#endCell(place);
        return;
      case 0x0c:
      case 0x0d:
        this.#endParagraph(place);
        return;
      case 0x13:
        if (this.#fields.length < MAX_FIELDS) this.#fields.push({ instruction: '', text: '', inResult: false });
        return;
      case 0x14: {
        const field = this.#fields.at(-1);
        if (field !== undefined) field.inResult = true;
        return;
      }
      case 0x15:
        this.#endField();
        return;
      case 0x09:
      case 0x0b:
      case 0x0e:
        this.#write(' ');
        return;
      case 0x1e:
        this.#write('\u2011');
        return;
      case 0x1f:
        this.#write('\u00ad');
        return;
      default:
    }
  }

  #write(text: string): void {
    const field = this.#fields.at(-1);
    if (field === undefined) {
      this.#story.write(text);
      this.#endedCell = false;
      return;
    }
    if (field.inResult) {
      if (field.text.length < MAX_INSTRUCTION) field.text += text;
      // Only what no outer instruction holds is seen.
      if (this.#fields.every(({ inResult }) => inResult)) this.#story.write(text);
      this.#endedCell = false;
      return;
    }
    field.instruction += text;
    if (field.instruction.length > MAX_INSTRUCTION) {
      this.#fields.length = 0;
      this.#story.write(field.instruction);
    }
  }

  #endField(): void {
    const field = this.#fields.pop();
    if (field === undefined) return;
    const url = hyperlinkOf(field.instruction);
    if (url !== undefined) this.#document.link(url, field.text);
    const outer = this.#fields.at(-1);
    if (outer === undefined) return;
    if (outer.inResult) outer.text += field.text;
    else outer.instruction += field.text;
  }

  #paragraphAt(place: number): DocParagraph {
    const run = this.#parts.paragraphs.runAt(place);
    if (run === undefined || run.properties.length < 2) return PLAIN_PARAGRAPH;
    const style = run.properties[0] + run.properties[1] * 256;
    return withProperties(this.#parts.styles.paragraph(style), run.properties.subarray(2));
  }

  #endParagraph(place: number): void {
    const field = this.#fields.at(-1);
    if (field !== undefined) this.#write(' ');
    const paragraph = this.#paragraphAt(place);
    this.#number(paragraph);
    if (paragraph.endsInner) this.#story.endInnerCell();
    else this.#story.endParagraph({ ...paragraph, isItem: paragraph.list > 0 });
    this.#endedCell = false;
  }

  #endCell(place: number): void {
    const paragraph = this.#paragraphAt(place);
    const isRowEnd = this.#parts.fib.isOld ? this.#endedCell : paragraph.endsRow;
    if (isRowEnd) this.#story.endRow();
    else {
      this.#number(paragraph);
      this.#story.endCell();
    }
    this.#endedCell = !isRowEnd;
  }

  #number(paragraph: DocParagraph): void {
    if (paragraph.list === 0 || this.#story.isParagraphEmpty) return;
    const number = this.#parts.lists.next(paragraph.list, paragraph.listLevel);
    if (number !== '') this.#story.prefix(`${number} `);
  }
}

const PLAIN_MARKS = { level: undefined, inTable: false, isItem: false };
