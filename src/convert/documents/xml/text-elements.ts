import type { XmlHandler } from './xml-reader.ts';
import type { XmlTag } from './xml-tag.ts';

const MAX_LENGTH = 100_000;

/** Hands over the text of each element that holds no others, with its name: enough for lists of properties. */
export class TextElements implements XmlHandler {
  readonly #found: (name: string, text: string) => void;
  readonly #opened: ((tag: XmlTag) => void) | undefined;
  #text = '';

  constructor(found: (name: string, text: string) => void, opened?: (tag: XmlTag) => void) {
    this.#found = found;
    this.#opened = opened;
  }

  open(tag: XmlTag): boolean {
    this.#text = '';
    this.#opened?.(tag);
    return true;
  }

  close(name: string): void {
    if (this.#text.trim() !== '') this.#found(name, this.#text);
    this.#text = '';
  }

  text(text: string): void {
    if (this.#text.length < MAX_LENGTH) this.#text += text;
  }
}
