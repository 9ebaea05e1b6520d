import { type ByteText, decodeBytes } from '../byte-text.ts';
import { BLOCK, headingLevels, RAW_TEXT, READ } from '../element-traits.ts';
import type { HtmlScanner } from '../html-scanner.ts';
import { documentKernel } from '../kernel/document-kernel.ts';
import type { MarkupReader } from '../scan-once.ts';
import { decodedText } from '../tags/written-text.ts';

/** Characters of a block that are looked at, and some more: what is longer is known to be long. */
export const MOST_CHARACTERS = 320;
/** Of one text: as many bytes as tell the beginning of a block in any script. */
const MOST_BYTES = 640;

/** What ends a block. */
export const ENDS_HEADING = 1;
export const ENDS_FIRST_LEVEL = 2;

/** Where a block ends, in places: behind it begins the next one. */
export const END_SIZE = 2;

/** What can be told of a block without making a string of it. */
export interface BlockShape {
  /** Bytes stand for themselves, or nothing is looked for in such a block: it is long, and has no digit. What follows is told only then. */
  plain: boolean;
  length: number;
  /** Without the white space around it. */
  trimmed: number;
  /** With single blanks for white space. */
  collapsed: number;
  /** The first character, and the one after it. */
  first: number;
  second: number;
  hasDigit: boolean;
  /** Two digits in a row. */
  hasNumber: boolean;
  /** Digits with nothing between them count as one. */
  numbers: number;
  /** A bar, a comma or a hyphen. */
  hasMark: boolean;
}

/**
 * Where the texts of a document lie, block by block. It is noted in the pass over the document that all readers share, since few
 * pages need to be asked for their texts and a pass of its own would cost those as much as all the rest.
 */
export class TextBlocks implements MarkupReader {
  /** That of SVG is one of those that are read. */
  readonly startTraits = BLOCK | RAW_TEXT | READ;
  readonly endTraits = BLOCK | READ;
  readonly takesText = true;
  readonly html: ByteText;
  readonly bytes: Uint8Array;
  readonly #scanner: HtmlScanner;
  /** Start and end of each text; -1 and what ends it after each block. */
  readonly #places: number[] = [];
  #inSvg = false;

  constructor(scanner: HtmlScanner) {
    this.html = scanner.html;
    this.bytes = scanner.bytes;
    this.#scanner = scanner;
  }

  startTag(): boolean {
    const { name, traits, selfClosing } = this.#scanner;
    if (name === 'svg') this.#inSvg = !selfClosing;
    if ((traits & BLOCK) !== 0) this.#endBlock(0);
    return !this.#inSvg && (traits & RAW_TEXT) !== 0;
  }

  rawText(): void {}

  endTag(): void {
    const { name, nameNumber, traits } = this.#scanner;
    if (name === 'svg') this.#inSvg = false;
    if ((traits & BLOCK) === 0) return;
    const level = headingLevels[nameNumber];
    this.#endBlock(level === 0 ? 0 : level === 1 ? ENDS_HEADING | ENDS_FIRST_LEVEL : ENDS_HEADING);
  }

  text(): void {
    if (!this.#inSvg) this.#places.push(this.#scanner.textStart, this.#scanner.textEnd);
  }

  end(): void {
    this.#places.push(-1, 0);
  }

  /** The end of the block that begins there, the first at 0 and each other behind an end; -1 where there is none. */
  endOf(from: number): number {
    const places = this.#places;
    for (let at = from; at < places.length; at += 2) if (places[at] === -1) return at;
    return -1;
  }

  /** What ends the block that ends there. */
  endedBy(end: number): number {
    return this.#places[end + 1];
  }

  /** The beginning of a block: of long texts it tells that they are long; white space alone is a blank. */
  beginning(from: number, to: number): string {
    const { html } = this;
    const places = this.#places;
    let block = '';
    for (let at = from; at < to && block.length <= MOST_CHARACTERS; at += 2) {
      const end = places[at + 1];
      const start = skipWhite(this.bytes, places[at], end);
      if (start === end) block += ' ';
      else if (end - start <= MOST_BYTES) block += decodedText(html, this.bytes, places[at], end);
      else block += decodeBytes(html.slice(start, start + MOST_BYTES) as ByteText);
    }
    return block;
  }

  /**
   * Whether a block of a document that is no article may hold a date, in which two digits of some script stand side by side, or the word
   * for its author, which begins with one of three capitals.
   */
  mayTellOfDocument(from: number, to: number): boolean {
    const bytes = this.bytes;
    const places = this.#places;
    let isFirst = true;
    /** 1 where the last byte was a digit; that of the piece before counts, too. */
    let afterDigit = 0;
    for (let piece = from; piece < to; piece += 2) {
      const end = places[piece + 1];
      const start = skipWhite(bytes, places[piece], end);
      if (start === end) {
        afterDigit = 0;
        continue;
      }
      if (isFirst && mayBeginAuthor(bytes, start, end)) return true;
      isFirst = false;
      for (let at = start; at < end; at++) {
        const digits = DIGITS[bytes[at]];
        if (digits + afterDigit >= TWO_DIGITS && (bytes[at] !== AMPERSAND || bytes[at + 1] === NUMBER_SIGN))
          return true;
        afterDigit = digits & 1;
      }
    }
    return false;
  }

  /** Tells of `beginning` what is asked for most. */
  shape(from: number, to: number, shape: BlockShape): void {
    const bytes = this.bytes;
    const places = this.#places;
    let length = 0;
    let collapsed = 0;
    let gap = 0;
    let firstAt = 0;
    let lastAt = -1;
    let numbers = 0;
    let isInNumber = false;
    let hasMark = false;
    shape.plain = false;
    shape.first = 0;
    shape.second = 0;
    shape.hasDigit = false;
    shape.hasNumber = false;
    // Nearly all long blocks are prose: of these nobody asks for more than that.
    if (this.#isLongProse(from, to)) {
      shape.plain = true;
      shape.numbers = 0;
      shape.hasMark = false;
      shape.length = MOST_CHARACTERS + 1;
      shape.trimmed = shape.length;
      shape.collapsed = 0;
      return;
    }
    for (let piece = from; piece < to && length <= MOST_CHARACTERS; piece += 2) {
      const end = places[piece + 1];
      const start = skipWhite(bytes, places[piece], end);
      if (start === end) {
        length++;
        gap = 1;
        isInNumber = false;
        continue;
      }
      const isLong = end - start > MOST_BYTES;
      const stop = isLong ? start + MOST_BYTES : end;
      if (!isLong && start > places[piece]) {
        for (let at = places[piece]; at < start; at++) if (!isPlainWhite(bytes[at])) return;
        length += start - places[piece];
        gap = 1;
        isInNumber = false;
      }
      for (let at = start; at < stop; at++, length++) {
        const code = bytes[at];
        const kind = KINDS[code];
        if (kind === LETTER && collapsed >= 2) {
          const wordStart = at;
          do at++;
          while (at < stop && KINDS[bytes[at]] === LETTER);
          const letters = at - wordStart;
          at--;
          collapsed += letters + gap;
          gap = 0;
          length += letters - 1;
          lastAt = length;
          isInNumber = false;
          continue;
        }
        if (kind === WHITE) {
          gap = 1;
          isInNumber = false;
          continue;
        }
        if (kind === NOT_PLAIN) return;
        if (collapsed < 2) {
          if (collapsed === 0) {
            shape.first = code;
            firstAt = length;
            gap = 0;
          } else shape.second = gap === 0 ? code : BLANK;
        }
        collapsed += 1 + gap;
        gap = 0;
        lastAt = length;
        if (kind === DIGIT) {
          if (length < MOST_CHARACTERS) shape.hasDigit = true;
          if (isInNumber) shape.hasNumber = true;
          else numbers++;
          isInNumber = true;
        } else {
          isInNumber = false;
          if (kind === MARK) hasMark = true;
        }
      }
    }
    shape.plain = true;
    shape.numbers = numbers;
    shape.hasMark = hasMark;
    shape.length = length;
    shape.trimmed = lastAt + 1 - firstAt;
    shape.collapsed = collapsed;
  }

  /** Whether all characters that are looked at are there, and none is a digit, nor can be one. */
  #isLongProse(from: number, to: number): boolean {
    const places = this.#places;
    let bytes = 0;
    for (let piece = from; piece < to && bytes < MOST_CHARACTERS; piece += 2)
      bytes += places[piece + 1] - places[piece];
    if (bytes < MOST_CHARACTERS) return false;
    const kernel = documentKernel();
    if (!kernel?.hold(this.bytes)) return false;
    let characters = 0;
    for (let piece = from; piece < to && characters >= 0 && characters < MOST_CHARACTERS; piece += 2) {
      const start = skipWhite(this.bytes, places[piece], places[piece + 1]);
      const end = Math.min(places[piece + 1], start + MOST_BYTES);
      if (start < end) characters += kernel.proseLength(start, end);
    }
    return characters >= MOST_CHARACTERS;
  }

  #endBlock(by: number): void {
    const places = this.#places;
    // Between two tags of blocks there is often nothing.
    if (by === 0 && (places.length === 0 || places[places.length - 2] === -1)) return;
    places.push(-1, by);
  }
}

const BLANK = 0x20;
const NUMBER_SIGN = 0x23;
const AMPERSAND = 0x26;

/** What a byte is to the shape of a block. */
const LETTER = 0;
const WHITE = 1;
const DIGIT = 2;
const MARK = 3;
const NOT_PLAIN = 4;
const KINDS: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  if (isPlainWhite(code)) return WHITE;
  const character = String.fromCharCode(code);
  if (code <= BLANK || code > 0x7f || character === '&') return NOT_PLAIN;
  if (character >= '0' && character <= '9') return DIGIT;
  return '|,-'.includes(character) ? MARK : LETTER;
});

/**
 * What begins "Author", "Verfasser" and "Written by", or stands for any character: a reference, or the first byte of what is not ASCII. By a
 * capital, since others begin no byline.
 */
const MAY_BEGIN_AUTHOR: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) =>
  code > 0x7f || 'AVW&'.includes(String.fromCharCode(code)) ? 1 : 0,
);
/** What comes second in them. */
const MAY_FOLLOW_IN_AUTHOR: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) =>
  code > 0x7f || 'uer&'.includes(String.fromCharCode(code).toLowerCase()) ? 1 : 0,
);

function mayBeginAuthor(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start];
  if (MAY_BEGIN_AUTHOR[first] === 0) return false;
  return first > 0x7f || first === AMPERSAND || start + 1 === end || MAY_FOLLOW_IN_AUTHOR[bytes[start + 1]] === 1;
}

const TWO_DIGITS = 2;
/**
 * How many digits stand where a byte does, at most: first bytes of characters in UTF-8 may begin digits of other scripts, but for those of
 * Latin letters and of signs, and any digit may be written as a reference to its number.
 */
const DIGITS: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 0x30 && code <= 0x39 ? 1 : (code > 0xc5 && code !== 0xe2) || code === AMPERSAND ? TWO_DIGITS : 0,
);

function skipWhite(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] <= 0x20) at++;
  return at;
}

/** White space to everybody: other control characters are, or are not, by who is asked. */
function isPlainWhite(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09;
}
