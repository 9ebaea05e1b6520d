import { type ByteSource, type ByteText, decodeBytes } from './byte-text.ts';
import { decodeReferences } from './character-references.ts';
import { ANY_TAG, ATTRIBUTES, elementNames, elementTraits } from './element-traits.ts';
import { KEPT, passTags } from './kernel/document-kernel.ts';
import { addToSum, isName } from './known-names.ts';
import { rawTextEnd } from './raw-text.ts';
import { SharedValues } from './shared-values.ts';
import { type AttributeName, MOST_ATTRIBUTES, type WrittenAttribute } from './tags/attribute-name.ts';
import { KnownTag } from './tags/known-tag.ts';
import {
  APOSTROPHE,
  after,
  commentEnd,
  EQUALS,
  GREATER_THAN,
  isLetter,
  isSpace,
  nextTag,
  QUESTION_MARK,
  QUOTE,
  SLASH,
  startsMarkup,
  tagEnd,
} from './tags/markup-places.ts';
import type { TagMemory } from './tags/tag-memory.ts';
import { decodedText, isPlain, nameOf } from './tags/written-text.ts';
import { detach } from './white-space.ts';

export type Token = 'text' | 'start-tag' | 'end-tag' | 'end';

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
  /** Tags are reported only where they have one of these traits. */
  wantedTraits = ANY_TAG;
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
  /** The start tag at hand, where it is one that documents have in common. */
  tag: KnownTag | undefined;
  readonly #view: DataView;
  #position = 0;
  readonly #tags: TagMemory | undefined;
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

  /** With `keepsAll`, attributes of every tag are kept. `tags`: of the documents that were read before with it. */
  constructor({ text, bytes, view }: ByteSource, keepsAll = false, tags?: TagMemory) {
    this.html = text;
    this.bytes = bytes;
    this.#view = view;
    this.#keepsAll = keepsAll;
    this.#tags = keepsAll ? tags : undefined;
  }

  next(): Token {
    const html = this.html;
    const bytes = this.bytes;
    for (;;) {
      const from = this.wantedTraits === KEPT && !this.wantsText ? passTags(bytes, this.#position) : this.#position;
      let open = nextTag(html, bytes, this.#view, from);
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
      if (isLetter(code)) {
        if (!this.#readStartTag(open + 1)) return 'end';
        if (this.#isWanted) return 'start-tag';
        continue;
      }
      if (code === SLASH) {
        code = bytes[open + 2];
        if (isLetter(code)) {
          if (!this.#readTag(open + 2)) return 'end';
          if (this.#isWanted) return 'end-tag';
          continue;
        }
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
    const { tag } = this;
    if (tag !== undefined) {
      if (tag.unknownName === '') tag.unknownName = nameOf(this.#slice(this.#nameStart, this.#nameEnd));
      return tag.unknownName;
    }
    if (this.#unknownName === '') this.#unknownName = nameOf(this.#slice(this.#nameStart, this.#nameEnd));
    return this.#unknownName;
  }

  /** Value of an attribute of the tag; of two with one name the first counts. */
  attribute(wanted: AttributeName): string | undefined {
    if ((this.#attributeBits & (1 << wanted.sum)) === 0) return undefined;
    if (this.tag !== undefined) return this.#knownAttribute(this.tag, wanted);
    for (let index = 0; index < this.#attributes; index++) {
      if (this.#attributeSums[index] !== wanted.sum) continue;
      const place = index * 4;
      if (!isName(this.html, this.#attributePlaces[place], this.#attributePlaces[place + 1], wanted.name)) continue;
      this.#attributeValues[index] ??= wanted.isShared ? this.#sharedValue(place) : this.#attributeValue(place);
      return this.#attributeValues[index];
    }
    return undefined;
  }

  #knownAttribute(tag: KnownTag, wanted: AttributeName): string | undefined {
    const index = tag.indexOf(wanted, this.html, this.#nameStart);
    if (index === -1) return undefined;
    const { attributeValues: values, attributePlaces: places } = tag;
    const start = this.#nameStart;
    values[index] ??= this.#valueBetween(start + places[4 * index + 2], start + places[4 * index + 3]);
    return values[index];
  }

  /** False where the tag has none of the attributes; true where it may have one. */
  mayHave(bits: number): boolean {
    return (this.#attributeBits & bits) !== 0;
  }

  /** All attributes of the tag as [name, value]. */
  attributes(): [string, string][] {
    return this.writtenAttributes().map(({ name, value }) => [name, value]);
  }

  /** All attributes of the tag, the first of each name, and where their values lie, with their quotation marks. */
  writtenAttributes(): WrittenAttribute[] {
    this.#unpackTag();
    const found = new Map<string, WrittenAttribute>();
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

  /** For who asks for all attributes, which is rare. */
  #unpackTag(): void {
    const { tag } = this;
    if (tag === undefined) return;
    for (const [at, place] of tag.attributePlaces.entries()) this.#attributePlaces[at] = this.#nameStart + place;
    this.#attributes = tag.attributeSums.length;
  }

  #attributeValue(place: number): string {
    return this.#valueBetween(this.#attributePlaces[place + 2], this.#attributePlaces[place + 3]);
  }

  #valueBetween(start: number, end: number): string {
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

  get #isWanted(): boolean {
    return ((this.traits | ANY_TAG) & this.wantedTraits) !== 0;
  }

  #readStartTag(start: number): boolean {
    const tags = this.#tags;
    if (tags === undefined) return this.#readTag(start);
    const known = tags.find(this.#view, start);
    if (known !== undefined) {
      this.tag = known;
      this.name = known.name;
      this.nameNumber = known.nameNumber;
      this.traits = known.traits;
      this.selfClosing = known.selfClosing;
      this.#nameStart = start;
      this.#nameEnd = start + known.nameLength;
      this.#attributeBits = known.attributeBits;
      this.#position = start + tags.length + 1;
      return true;
    }
    if (!this.#readTag(start)) return false;
    if (tags.wants(this.#position - 1 - start)) tags.keep(this.#knownTag(start), this.#view, start);
    return true;
  }

  /** The tag at hand, for the next time. */
  #knownTag(start: number): KnownTag {
    return new KnownTag({
      name: this.name,
      nameNumber: this.nameNumber,
      traits: this.traits,
      selfClosing: this.selfClosing,
      nameLength: this.#nameEnd - start,
      attributeBits: this.#attributeBits,
      attributeSums: this.#attributeSums.slice(0, this.#attributes),
      attributePlaces: this.#attributePlaces.slice(0, 4 * this.#attributes).map((place) => place - start),
    });
  }

  /** False where the document ends inside the tag: a browser drops such a tag. */
  #readTag(start: number): boolean {
    this.tag = undefined;
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
    if (bytes[at] === GREATER_THAN) {
      // Nothing but a name, as nearly all end tags.
      this.selfClosing = false;
      this.#attributes = 0;
      this.#attributeBits = 0;
      this.#position = at + 1;
      return true;
    }
    if (this.#isWanted) return this.#readAttributes(at, this.#keepsAll || (this.traits & ATTRIBUTES) !== 0);
    const end = tagEnd(this.html, bytes, at);
    this.#position = end === -1 ? length : end;
    return end !== -1;
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
