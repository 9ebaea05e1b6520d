import type { Link } from '../contracts/content/page.ts';
import { CollapsedText } from './texts/collapsed-text.ts';

/** Anchor texts are cut to this length: an anchor that is never closed would take in the whole page. */
const LONGEST_ANCHOR_TEXT = 1_000;

/** Of one run of text, in bytes: much of it may be white space. */
const LONGEST_RUN = 8 * LONGEST_ANCHOR_TEXT;

export type AnchorLink = { -readonly [Key in keyof Link]: Link[Key] };

/** Of the texts of most pages, in bytes. */
const EXPECTED = 2048;

/** Gathers the text of the anchor that is open; there is at most one. Links have theirs when the document was read. */
export class AnchorText {
  readonly #text = new CollapsedText(EXPECTED);
  #link: AnchorLink | undefined;
  /** Those whose texts have been left. */
  readonly #closed: AnchorLink[] = [];
  #tables = 0;

  get isOpen(): boolean {
    return this.#link !== undefined;
  }

  open(link: AnchorLink): void {
    this.close();
    this.#link = link;
    this.#tables = 0;
  }

  /** Takes a part of the document as text. */
  add(source: Uint8Array, start: number, end: number, literal: boolean): void {
    if (this.#text.length < LONGEST_RUN) this.#text.add(source, start, Math.min(end, start + LONGEST_RUN), literal);
  }

  /** Takes text that stands in the place of a picture. */
  addAlternative(text: string): void {
    if (this.#text.length >= LONGEST_RUN) return;
    this.#text.breakWord();
    this.#text.addString(text);
    this.#text.breakWord();
  }

  breakWord(): void {
    this.#text.breakWord();
  }

  close(): void {
    if (this.#link === undefined) return;
    if (this.#text.length > LONGEST_ANCHOR_TEXT) this.#link.text = cut(this.#text.take());
    else {
      this.#text.leave();
      this.#closed.push(this.#link);
    }
    this.#link = undefined;
  }

  /** The document has come to its end. */
  end(): void {
    this.close();
    const texts = this.#text.left();
    for (let place = 0; place < texts.length; place++) this.#closed[place].text = texts[place];
  }

  /** A cell, row or table starts or ends: an anchor that was opened inside the cell ends with it. */
  passTablePart(name: string, starts: boolean): void {
    if (name === 'table' && starts) this.#tables++;
    else if (this.#tables === 0) this.close();
    else if (name === 'table') this.#tables--;
  }
}

function cut(text: string): string {
  return text.length > LONGEST_ANCHOR_TEXT ? text.slice(0, LONGEST_ANCHOR_TEXT).trimEnd() : text;
}
