import type { DocumentBuilder } from '../../document-builder.ts';

/** How the paragraph being written is to be understood. */
export interface ParagraphMarks {
  /** 1 to 9 for headings. */
  readonly level: number | undefined;
  readonly inTable: boolean;
  readonly isItem: boolean;
}

type StoryBlock = { readonly marks: ParagraphMarks; readonly text: string } | { readonly rows: string[][] };

/** A run of paragraphs and tables: body, footnote, header. The body writes through, others wait for their place. */
export class Story {
  readonly #document: DocumentBuilder;
  readonly #writesThrough: boolean;
  readonly #waiting: StoryBlock[] = [];
  #text = '';
  /** Kept beside the text: looking at a long one again and again would take longer than all the rest. */
  #hasWords = false;
  #cell = '';
  #cells: string[] = [];
  #rows: string[][] = [];

  constructor(document: DocumentBuilder, writesThrough: boolean) {
    this.#document = document;
    this.#writesThrough = writesThrough;
  }

  write(text: string): void {
    // More than fits is not even gathered.
    if (this.#text.length + this.#cell.length > this.#document.budget.limits.maxText) return;
    this.#text += text;
    this.#hasWords ||= /\S/.test(text);
  }

  get isParagraphEmpty(): boolean {
    return !this.#hasWords;
  }

  /** Puts text before the paragraph that is being written. */
  prefix(text: string): void {
    this.#text = text + this.#text;
  }

  /** Ends the paragraph; within a table cell it only ends a line. */
  endParagraph(marks: ParagraphMarks): void {
    if (marks.inTable) {
      this.#cell += `${this.#text} `;
      this.#clear();
      return;
    }
    this.#endTable();
    // Halves of characters come one by one, and some never find their other half.
    const text = this.#text.toWellFormed();
    this.#clear();
    if (text.trim() !== '') this.#put({ marks, text });
  }

  endCell(): void {
    this.#cells.push((this.#cell + this.#text).toWellFormed());
    this.#cell = '';
    this.#clear();
  }

  /** A cell of a table within a cell: the text stays, parted from the next. */
  endInnerCell(): void {
    this.#cell += `${this.#text} `;
    this.#clear();
  }

  endRow(): void {
    if (this.#cell !== '' || this.#text !== '') this.endCell();
    if (this.#cells.length > 0) this.#rows.push(this.#cells);
    this.#cells = [];
  }

  end(marks: ParagraphMarks): void {
    if (this.#cells.length > 0 || this.#cell !== '') this.endRow();
    this.endParagraph({ ...marks, inTable: false });
    this.#endTable();
  }

  /** Puts what has waited into the document. */
  release(): void {
    for (const block of this.#waiting.splice(0)) this.#emit(block);
  }

  #clear(): void {
    this.#text = '';
    this.#hasWords = false;
  }

  #endTable(): void {
    if (this.#cells.length > 0 || this.#cell !== '') {
      this.#cells.push(this.#cell);
      this.#rows.push(this.#cells);
      this.#cells = [];
      this.#cell = '';
    }
    if (this.#rows.length > 0) this.#put({ rows: this.#rows });
    this.#rows = [];
  }

  #put(block: StoryBlock): void {
    if (this.#writesThrough) this.#emit(block);
    else this.#waiting.push(block);
  }

  #emit(block: StoryBlock): void {
    if ('rows' in block) this.#document.table(block.rows);
    else if (block.marks.level !== undefined) this.#document.heading(block.marks.level, block.text);
    else if (block.marks.isItem) this.#document.item(block.text);
    else this.#document.paragraph(block.text);
  }
}
