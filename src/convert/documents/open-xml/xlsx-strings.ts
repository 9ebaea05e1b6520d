import { MAX_PARAGRAPH } from '../block-flow.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';

const MAX_STRINGS = 2_000_000;

/** The strings that cells of a workbook share, by number. How a word is pronounced follows it. */
export class XlsxStrings implements XmlHandler {
  readonly #strings: string[] = [];
  #room: number;
  #text = '';
  #phonetic = '';
  #inText = false;
  #inPhonetic = false;

  constructor(maxText: number) {
    this.#room = maxText;
  }

  get full(): boolean {
    return this.#room < 0 || this.#strings.length >= MAX_STRINGS;
  }

  at(index: number): string {
    return this.#strings[index] ?? '';
  }

  open(tag: XmlTag): boolean {
    if (tag.name === 'si') {
      this.#text = '';
      this.#phonetic = '';
    } else if (tag.name === 'rPh') this.#inPhonetic = true;
    else if (tag.name === 't') this.#inText = true;
    return tag.name !== 'rPr';
  }

  close(name: string): void {
    if (name === 't') this.#inText = false;
    else if (name === 'rPh') this.#inPhonetic = false;
    else if (name === 'si' && !this.full) {
      const text = this.#phonetic === '' ? this.#text : `${this.#text} ${this.#phonetic}`;
      this.#room -= text.length;
      this.#strings.push(text);
    }
  }

  text(text: string): void {
    if (!this.#inText || this.#text.length + this.#phonetic.length > MAX_PARAGRAPH) return;
    if (this.#inPhonetic) this.#phonetic += text;
    else this.#text += text;
  }
}
