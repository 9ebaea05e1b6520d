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
const MAX_TAG = 1024 * 1024;
/** Looking for the start of so many end tags that have none is enough; after that they must close the innermost element. */
const MAX_STRAY_ENDS = 10_000;
/** A reference that is cut by the end of a piece is at most this long: HTML has names of 31 letters. */
const MAX_REFERENCE = 33;

/**
 * A forgiving XML reader fed piece by piece, in constant memory. Document type declarations are skipped unread: nothing is
 * expanded and nothing is fetched. Deeper than 512 elements nothing is read; wrong end tags are put right or passed over.
 */
export class XmlReader {
  readonly #handler: XmlHandler;
  readonly #markup: boolean;
  readonly #tag: XmlTag;
  readonly #open: string[] = [];
  #rest = '';
  /** Inside a comment, an instruction, a declaration or CDATA: what ends it. */
  #until = '';
  #skipping = 0;
  #strayEnds = 0;
  #broken = false;

  constructor(handler: XmlHandler, markup = false) {
    this.#handler = handler;
    this.#markup = markup;
    this.#tag = new XmlTag(markup);
  }

  write(piece: string): void {
    if (this.#broken) return;
    const text = this.#rest === '' ? piece : this.#rest + piece;
    const read = this.#read(text);
    this.#rest = text.slice(read);
    if (this.#rest.length > MAX_TAG) this.#broken = true;
  }

  end(): void {
    if (!this.#broken && this.#until === '' && this.#rest !== '' && !this.#rest.startsWith('<'))
      this.#emit(this.#rest, 0, this.#rest.length);
    this.#rest = '';
    while (this.#open.length > 0) this.#handler.close(this.#open.pop() as string);
  }

  /** Answers how far the text could be read. */
  #read(text: string): number {
    let at = 0;
    for (;;) {
      if (this.#until !== '') {
        const end = text.indexOf(this.#until, at);
        const cdata = this.#until === ']]>';
        if (end < 0) {
          const safe = Math.max(at, text.length - 2);
          if (cdata) this.#hand(text.slice(at, safe));
          return safe;
        }
        if (cdata) this.#hand(text.slice(at, end));
        at = end + this.#until.length;
        this.#until = '';
      }
      const open = text.indexOf('<', at);
      if (open < 0) {
        const cut = text.lastIndexOf('&');
        const safe = cut >= at && text.length - cut < MAX_REFERENCE ? cut : text.length;
        this.#emit(text, at, safe);
        return safe;
      }
      this.#emit(text, at, open);
      if (open + 9 > text.length && text.indexOf('>', open) < 0) return open;
      at = this.#readMarkup(text, open);
      if (at < 0) return open;
    }
  }

  /** Reads what the `<` at `open` starts; answers where it ends, -1 where that is not here yet. */
  #readMarkup(text: string, open: number): number {
    const code = text.charCodeAt(open + 1);
    if (code === 0x2f) {
      const end = text.indexOf('>', open);
      if (end >= 0) this.#close(text.slice(open + 2, end));
      return end + 1 || -1;
    }
    if (code === 0x21) return this.#readDeclaration(text, open);
    if (code === 0x3f) {
      this.#until = '?>';
      return open + 2;
    }
    if (!isNameStart(code)) {
      this.#hand('<');
      return open + 1;
    }
    return this.#readTag(text, open);
  }

  #readDeclaration(text: string, open: number): number {
    if (text.startsWith('<!--', open)) {
      this.#until = '-->';
      return open + 4;
    }
    if (text.startsWith('<![CDATA[', open)) {
      this.#until = ']]>';
      return open + 9;
    }
    const end = text.indexOf('>', open);
    if (end < 0) return -1;
    const subset = text.slice(open, end).indexOf('[');
    if (subset < 0) return end + 1;
    this.#until = ']>';
    return open + subset + 1;
  }

  #readTag(text: string, open: number): number {
    let end = open + 1;
    while (end < text.length && !endsName(text.charCodeAt(end))) end++;
    const nameEnd = end;
    for (;;) {
      if (end >= text.length) return -1;
      const code = text.charCodeAt(end);
      if (code === 0x3e) break;
      if (code === 0x22 || code === 0x27) {
        end = text.indexOf(code === 0x22 ? '"' : "'", end + 1);
        if (end < 0) return -1;
      }
      end++;
    }
    const empty = text.charCodeAt(end - 1) === 0x2f;
    if (this.#skipping > 0) {
      const ends = empty || (this.#markup && MARKUP_VOIDS.has(text.slice(open + 1, nameEnd).toLowerCase()));
      if (!ends) this.#skipping++;
      return end + 1;
    }
    const raw = text.slice(open + 1, nameEnd);
    const colon = raw.indexOf(':');
    const local = colon < 0 ? raw : raw.slice(colon + 1);
    const name = this.#markup ? local.toLowerCase() : local;
    this.#tag.set(name, colon < 0 ? '' : raw.slice(0, colon), text, nameEnd, empty ? end - 1 : end);
    const ends = empty || (this.#markup && MARKUP_VOIDS.has(name));
    if (this.#open.length >= MAX_DEPTH || !this.#handler.open(this.#tag)) {
      if (!ends) this.#skipping = 1;
    } else if (ends) this.#handler.close(name);
    else this.#open.push(name);
    return end + 1;
  }

  #close(raw: string): void {
    if (this.#skipping > 0) {
      this.#skipping--;
      return;
    }
    const colon = raw.indexOf(':');
    const trimmed = (colon < 0 ? raw : raw.slice(colon + 1)).trimEnd();
    const name = this.#markup ? trimmed.toLowerCase() : trimmed;
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

  #emit(text: string, from: number, to: number): void {
    if (to > from && this.#skipping === 0) this.#handler.text(withoutReferences(text.slice(from, to), this.#markup));
  }

  #hand(text: string): void {
    if (text !== '' && this.#skipping === 0) this.#handler.text(text);
  }
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code >= 0x80;
}

function endsName(code: number): boolean {
  return code <= 0x20 || code === 0x3e || code === 0x2f;
}
