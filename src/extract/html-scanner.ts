import { type ByteSource, type ByteText, decodeBytes } from './byte-text.ts';
import { decodeReferences } from './character-references.ts';
import { ATTRIBUTES, elementNames, elementTraits } from './element-traits.ts';
import { addToSum, isName, sumOf } from './known-names.ts';
import { rawTextEnd } from './raw-text.ts';
import { SharedValues } from './shared-values.ts';
import { detach } from './white-space.ts';

export type Token = 'text' | 'start-tag' | 'end-tag' | 'end';

/** Of one tag; no honest tag comes near. A tag of a megabyte must not take many times its size in memory. */
const MOST_ATTRIBUTES = 1_000;

/** The name of an attribute that is asked for. */
export interface AttributeName {
  readonly name: string;
  readonly sum: number;
  /** Elements of a document share few values of it. */
  readonly isShared: boolean;
}

const SHARED = new Set('class rel style type'.split(' '));

export function attributeName(name: string): AttributeName {
  return { name, sum: sumOf(name), isShared: SHARED.has(name) };
}

/** To ask whether a tag may have any of these attributes. */
export function attributeBits(names: readonly AttributeName[]): number {
  return names.reduce((bits, { sum }) => bits | (1 << sum), 0);
}

/**
 * The tokenizer of the HTML standard, cut down to what a link extractor needs: comments and doctypes are passed over,
 * positions take the place of strings, and attributes are kept only for elements that have some of interest.
 * It reads each character once, whatever the markup; nothing in it throws.
 */
export class HtmlScanner {
  readonly html: ByteText;
  readonly bytes: Uint8Array;
  /** Text tokens are reported only while this is set. */
  wantsText = false;
  /** Inside SVG or MathML, where CDATA sections exist. */
  foreign = false;

  /** Of the tag: its lower-case name where the element is a known one, else ''. */
  name = '';
  /** Its number among `elementNames`; 0 where it is not known. */
  nameNumber = 0;
  traits = 0;
  selfClosing = false;
  /** Where the tag or text begins. */
  tokenStart = 0;
  /** Of the text: where it lies, and whether it is free of character references. */
  textStart = 0;
  textEnd = 0;
  literal = false;
  /** CDATA sections that were passed over as comments, as outside of foreign content. */
  passedSections = 0;

  #position = 0;
  #nameStart = 0;
  #nameEnd = 0;
  /** Of an element that is not known, once somebody has asked: several readers do. */
  #unknownName = '';
  readonly #keepsAll: boolean;
  #attributes = 0;
  /** A bit for each attribute by its sum: most that are asked for are not there. */
  #attributeBits = 0;
  readonly #attributeSums: number[] = [];
  /** Name start, name end, value start, value end of each attribute. */
  readonly #attributePlaces: number[] = [];
  /** Values that were asked for: several readers want the same. */
  readonly #attributeValues: (string | undefined)[] = [];
  readonly #shared = new SharedValues();

  /** With `keepsAll`, attributes of every tag are kept. */
  constructor({ text, bytes }: ByteSource, keepsAll = false) {
    this.html = text;
    this.bytes = bytes;
    this.#keepsAll = keepsAll;
  }

  next(): Token {
    const html = this.html;
    const bytes = this.bytes;
    for (;;) {
      const from = this.#position;
      let open = bytes[from] === LESS_THAN ? from : html.indexOf('<', from);
      let code = 0;
      while (open !== -1) {
        code = bytes[open + 1];
        if (startsMarkup(code)) break;
        open = html.indexOf('<', open + 1);
      }
      if (open === -1) open = html.length;
      if (open > from && this.wantsText) {
        this.#position = open;
        this.tokenStart = from;
        this.#setText(from, open, false);
        return 'text';
      }
      if (open === html.length) {
        this.#position = open;
        return 'end';
      }
      this.tokenStart = open;
      if (isLetter(code)) return this.#readTag(open + 1) ? 'start-tag' : 'end';
      if (code === SLASH) {
        code = bytes[open + 2];
        this.tokenStart = open;
        if (isLetter(code)) return this.#readTag(open + 2) ? 'end-tag' : 'end';
        this.#position = after(html, '>', open + 2);
      } else if (code === QUESTION_MARK) {
        this.#position = after(html, '>', open + 2);
      } else if (html.startsWith('--', open + 2)) {
        this.#position = commentEnd(html, open + 4);
      } else if (this.foreign && html.startsWith('[CDATA[', open + 2)) {
        this.#position = after(html, ']]>', open + 9);
        this.#setText(open + 9, html.endsWith(']]>', this.#position) ? this.#position - 3 : this.#position, true);
        if (this.wantsText && this.textEnd > this.textStart) return 'text';
      } else {
        if (html.startsWith('[CDATA[', open + 2)) this.passedSections++;
        this.#position = after(html, '>', open + 2);
      }
    }
  }

  /** Passes over the content of an element that holds no markup; it becomes the text. Its end tag comes next. */
  readRawText(element: string): void {
    this.findRawText(element);
    this.passText();
  }

  /** As above, but what follows is still that content. */
  findRawText(element: string): void {
    const end = rawTextEnd(this.html, this.#position, element);
    this.#setText(this.#position, end, element !== 'title' && element !== 'textarea');
  }

  /** What follows is what comes after the text. */
  passText(): void {
    this.#position = this.textEnd;
  }

  /** The text, character references replaced. */
  text(): string {
    return this.literal
      ? this.#slice(this.textStart, this.textEnd)
      : decodedText(this.html, this.bytes, this.textStart, this.textEnd);
  }

  /** Name of the tag, whether the element is known or not. */
  tagName(): string {
    if (this.name !== '') return this.name;
    if (this.#unknownName === '') this.#unknownName = nameOf(this.#slice(this.#nameStart, this.#nameEnd));
    return this.#unknownName;
  }

  /** Value of an attribute of the tag; of two with one name the first counts. */
  attribute(wanted: AttributeName): string | undefined {
    if ((this.#attributeBits & (1 << wanted.sum)) === 0) return undefined;
    for (let index = 0; index < this.#attributes; index++) {
      if (this.#attributeSums[index] !== wanted.sum) continue;
      const place = index * 4;
      if (!isName(this.html, this.#attributePlaces[place], this.#attributePlaces[place + 1], wanted.name)) continue;
      this.#attributeValues[index] ??= wanted.isShared ? this.#sharedValue(place) : this.#attributeValue(place);
      return this.#attributeValues[index];
    }
    return undefined;
  }

  /** False where the tag has none of the attributes; true where it may have one. */
  mayHave(bits: number): boolean {
    return (this.#attributeBits & bits) !== 0;
  }

  /** All attributes of the tag as [name, value]. */
  attributes(): [string, string][] {
    const found = new Map<string, string>();
    for (let place = 0; place < this.#attributes * 4; place += 4) {
      const name = nameOf(this.#slice(this.#attributePlaces[place], this.#attributePlaces[place + 1]));
      if (!found.has(name)) found.set(name, this.#attributeValue(place));
    }
    return [...found];
  }

  /** All attributes of the tag, the first of each name, and where their values lie, with their quotation marks. */
  writtenAttributes(): {
    readonly name: string;
    readonly value: string;
    readonly start: number;
    readonly end: number;
  }[] {
    const found = new Map<string, { name: string; value: string; start: number; end: number }>();
    for (let place = 0; place < this.#attributes * 4; place += 4) {
      const [nameStart, nameEnd, start, end] = this.#attributePlaces.slice(place, place + 4);
      const name = nameOf(this.#slice(nameStart, nameEnd));
      if (found.has(name)) continue;
      const before = this.html.charCodeAt(start - 1);
      const quotes = start > nameEnd && (before === QUOTE || before === APOSTROPHE) ? 1 : 0;
      found.set(name, { name, value: this.#attributeValue(place), start: start - quotes, end: end + quotes });
    }
    return [...found.values()];
  }

  #attributeValue(place: number): string {
    const start = this.#attributePlaces[place + 2];
    const end = this.#attributePlaces[place + 3];
    const value = this.html.slice(start, end) as ByteText;
    if (isPlain(this.bytes, start, end)) return detach(value);
    return detach(decodeReferences(decodeBytes(value).replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'), true));
  }

  #sharedValue(place: number): string {
    const shared = this.#shared;
    const slot = shared.find(this.bytes, this.#attributePlaces[place + 2], this.#attributePlaces[place + 3]);
    shared.values[slot] ??= this.#attributeValue(place);
    return shared.values[slot];
  }

  #slice(start: number, end: number): string {
    return decodeBytes(this.html.slice(start, end) as ByteText);
  }

  #setText(start: number, end: number, literal: boolean): void {
    this.textStart = start;
    this.textEnd = end;
    this.literal = literal;
  }

  /** False where the document ends inside the tag: a browser drops such a tag. */
  #readTag(start: number): boolean {
    const bytes = this.bytes;
    const length = bytes.length;
    let at = start;
    let sum = 0;
    while (at < length) {
      const code = bytes[at];
      if (code <= GREATER_THAN && (code === GREATER_THAN || code === SLASH || isSpace(code))) break;
      sum = addToSum(sum, code);
      at++;
    }
    this.#nameStart = start;
    this.#nameEnd = at;
    this.#unknownName = '';
    const number = elementNames.find(this.html, start, at, sum);
    this.nameNumber = number;
    this.name = elementNames.name(number);
    this.traits = elementTraits[number];
    return this.#readAttributes(at, this.#keepsAll || (this.traits & ATTRIBUTES) !== 0);
  }

  #readAttributes(from: number, keep: boolean): boolean {
    const html = this.html;
    const bytes = this.bytes;
    const length = bytes.length;
    let at = from;
    let count = 0;
    let bits = 0;
    for (;;) {
      const between = at;
      let code = 0;
      while (at < length) {
        code = bytes[at];
        if (code !== SLASH && !isSpace(code)) break;
        at++;
      }
      if (at >= length) break;
      if (code === GREATER_THAN) {
        this.selfClosing = at > between && bytes[at - 1] === SLASH;
        this.#attributes = count;
        this.#attributeBits = bits;
        this.#position = at + 1;
        return true;
      }
      const nameStart = at;
      let sum = 0;
      // Whatever comes first belongs to the name, even an equals sign.
      do {
        sum = addToSum(sum, code);
        if (++at >= length) break;
        code = bytes[at];
      } while (code > GREATER_THAN || (code < EQUALS && code !== SLASH && !isSpace(code)));
      const nameEnd = at;
      while (at < length && isSpace(bytes[at])) at++;
      let valueStart = at;
      let valueEnd = at;
      if (bytes[at] === EQUALS) {
        at++;
        while (at < length && isSpace(bytes[at])) at++;
        code = bytes[at];
        if (code === QUOTE || code === APOSTROPHE) {
          valueStart = at + 1;
          valueEnd = html.indexOf(code === QUOTE ? '"' : "'", valueStart);
          if (valueEnd === -1) break;
          at = valueEnd + 1;
        } else {
          valueStart = at;
          while (at < length && code !== GREATER_THAN && !isSpace(code)) code = bytes[++at];
          valueEnd = at;
        }
      }
      if (keep && count < MOST_ATTRIBUTES) {
        bits |= 1 << sum;
        this.#attributeSums[count] = sum;
        this.#attributeValues[count] = undefined;
        const place = count * 4;
        this.#attributePlaces[place] = nameStart;
        this.#attributePlaces[place + 1] = nameEnd;
        this.#attributePlaces[place + 2] = valueStart;
        this.#attributePlaces[place + 3] = valueEnd;
        count++;
      }
    }
    this.#position = length;
    return false;
  }
}

/** The text of a part of a document, character references replaced. */
export function decodedText(html: ByteText, bytes: Uint8Array, start: number, end: number): string {
  const text = html.slice(start, end) as ByteText;
  return isPlain(bytes, start, end) ? text : decodeReferences(decodeBytes(text), false);
}

const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const EXCLAMATION_MARK = 0x21;
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const QUESTION_MARK = 0x3f;

function isSpace(code: number): boolean {
  return code === 0x20 || (code <= 13 && code >= 9 && code !== 11);
}

function isLetter(code: number): boolean {
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

function startsMarkup(code: number): boolean {
  return isLetter(code) || code === SLASH || code === EXCLAMATION_MARK || code === QUESTION_MARK;
}

/** Whether bytes stand for themselves: ASCII without anything that the standard replaces. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = bytes[at];
    if (code > 0x7f || code === AMPERSAND || code === CARRIAGE_RETURN || code === 0) return false;
  }
  return true;
}

/** Names count in lower case, but only the letters of ASCII have one. */
function nameOf(written: string): string {
  return written.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('\0', '\ufffd');
}

/** Position after the next occurrence of `what`, or the end. */
function after(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from);
  return at === -1 ? html.length : at + what.length;
}

/** Position after a comment whose content starts at `from`: it ends with `-->`, `--!>`, or at once with `>` or `->`. */
function commentEnd(html: string, from: number): number {
  if (html.charCodeAt(from) === GREATER_THAN) return from + 1;
  if (html.startsWith('->', from)) return from + 2;
  for (let at = html.indexOf('--', from); at !== -1; at = html.indexOf('--', at + 1)) {
    if (html.charCodeAt(at + 2) === GREATER_THAN) return at + 3;
    if (html.startsWith('!>', at + 2)) return at + 4;
  }
  return html.length;
}
