import { TAG_TOO_LONG, XmlTokenizer, type XmlTokenLimits, type XmlTokens } from '../../../base/xml/xml-tokenizer.ts';
import { withoutReferences } from './xml-characters.ts';
import { XmlTag } from './xml-tag.ts';

/** Names come without prefix. Every element entered is closed, also those that the document leaves open. */
export interface XmlHandler {
  /** False: neither its content nor its end is wanted. */
  open(tag: XmlTag): boolean;
  close(name: string): void;
  /** Text may come in several pieces. */
  text(text: string): void;
}

/** HTML in the dress of XML: names in lower case, elements without end tag, more named characters. */
const MARKUP_VOIDS = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const MAX_DEPTH = 512;
/** A longer tag is none. */
const LIMITS: XmlTokenLimits = { maxTag: 1024 * 1024, maxText: 16 * 1024 * 1024 };
/** Looking for the start of so many end tags that have none is enough; after that they must close the innermost element. */
const MAX_STRAY_ENDS = 10_000;

/**
 * A forgiving XML reader fed piece by piece, in bounded memory. Document type declarations are skipped unread: nothing is
 * expanded and nothing is fetched. Deeper than 512 elements nothing is read; wrong end tags are put right or passed over.
 */
export class XmlReader implements XmlTokens {
  readonly #handler: XmlHandler;
  readonly #markup: boolean;
  readonly #tag: XmlTag;
  readonly #tokenizer = new XmlTokenizer(this, LIMITS);
  readonly #open: string[] = [];
  #skipping = 0;
  #strayEnds = 0;
  #broken = false;

  constructor(handler: XmlHandler, markup = false) {
    this.#handler = handler;
    this.#markup = markup;
    this.#tag = new XmlTag(markup);
  }

  write(piece: string): void {
    if (!this.#broken) this.#tokenizer.push(piece);
  }

  end(): void {
    const rest = this.#tokenizer.end();
    if (rest !== '') this.text(rest, false);
    while (this.#open.length > 0) this.#handler.close(this.#open.pop() as string);
  }

  startTag(written: string, attributes: string, empty: boolean): void {
    if (this.#broken) return;
    const colon = written.indexOf(':');
    const local = colon < 0 ? written : written.slice(colon + 1);
    const name = this.#markup ? local.toLowerCase() : local;
    const ends = empty || (this.#markup && MARKUP_VOIDS.has(name));
    if (this.#skipping > 0) {
      if (!ends) this.#skipping++;
      return;
    }
    this.#tag.set(name, colon < 0 ? '' : written.slice(0, colon), attributes);
    if (this.#open.length >= MAX_DEPTH || !this.#handler.open(this.#tag)) {
      if (!ends) this.#skipping = 1;
    } else if (ends) this.#handler.close(name);
    else this.#open.push(name);
  }

  endTag(written: string): void {
    if (this.#broken) return;
    if (this.#skipping > 0) {
      this.#skipping--;
      return;
    }
    const colon = written.indexOf(':');
    const local = colon < 0 ? written : written.slice(colon + 1);
    const name = this.#markup ? local.toLowerCase() : local;
    if (this.#open.at(-1) === name) {
      this.#open.pop();
      this.#handler.close(name);
      return;
    }
    if (this.#strayEnds > MAX_STRAY_ENDS) return;
    const depth = this.#open.lastIndexOf(name);
    if (depth < 0) {
      this.#strayEnds++;
      return;
    }
    while (this.#open.length > depth) this.#handler.close(this.#open.pop() as string);
  }

  text(text: string, cdata: boolean): void {
    if (this.#broken || this.#skipping > 0 || text === '') return;
    this.#handler.text(cdata ? text : withoutReferences(text, this.#markup));
  }

  declaration(): void {}

  comment(): void {}

  instruction(): void {}

  fault(what: string): void {
    if (what === TAG_TOO_LONG) this.#broken = true;
  }
}
