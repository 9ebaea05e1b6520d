import { madeOnce } from '../../base/made-once.ts';
import { decodeReferences } from '../character-references.ts';
import { type DocumentKernel, documentKernel } from '../kernel/document-kernel.ts';
import { LONGEST_SHORT_TEXT, ShortTexts } from './short-texts.ts';
import { simpleReference } from './simple-references.ts';

const AMPERSAND = 0x26;
const BLANK = 0x20;
const LINE_FEED = 0x0a;
/** The no-break space in UTF-8. */
const NBSP_LEAD = 0xc2;
const NBSP_TRAIL = 0xa0;
/** From so many bytes on the kernel takes less time than the loop, its copies included. */
const LONG = 256;

/** By byte: itself, or a blank for white space; 0 for what has to be looked at. */
const PLAIN = Uint8Array.from({ length: 0x100 }, (_, byte) =>
  byte === AMPERSAND || byte === NBSP_LEAD ? 0 : Math.max(byte, BLANK),
);
const IS_GAP = new Uint8Array(0x100);
IS_GAP[BLANK] = 1;

/** What stands between the text so far and the text to come: nothing, or the character of this code. */
type Gap = 0 | typeof BLANK | typeof LINE_FEED;

/**
 * Gathers text: white space collapsed, one line for each block. Bytes go straight from the document into a buffer, since a
 * page has thousands of runs of text and a string for each would cost more than all the rest of the reading.
 */
export class CollapsedText {
  #buffer: Buffer;
  /** Of all that stands in the buffer. */
  #length = 0;
  /** Where the text so far begins: before it stand those that were left. */
  #start = 0;
  readonly #ends: number[] = [];
  /** Of the texts that were left, those that are not ASCII, by their places. */
  readonly #further = new Set<number>();
  #gap: Gap = 0;
  /** All bytes put together by OR: tells whether they are ASCII. */
  #bits = 0;

  constructor(expectedLength: number) {
    // Small ones come from the pool of the platform: to make a buffer takes longer than to fill it.
    this.#buffer = Buffer.allocUnsafe(expectedLength);
  }

  /** In bytes. */
  get length(): number {
    return this.#length - this.#start;
  }

  /** Takes the text from `start` to `end`; `literal` text has no character references. */
  add(source: Uint8Array, start: number, end: number, literal: boolean): void {
    // Bytes that only continue a character mean nothing at the start of a run; they must not join the run before.
    if (start < end && (source[start] & 0xc0) === 0x80) {
      this.#addDecoded(source, start, end, literal);
      return;
    }
    // One more for the gap before the run; gaps in the run take the place of white space.
    this.#reserve(end - start + 1);
    const kernel = end - start < LONG ? undefined : documentKernel();
    if (kernel?.hold(source)) this.#addLong(kernel, source, this.#skipGap(source, start, end), end, literal);
    else this.#addBytes(source, start, end, literal);
  }

  /** Where the text begins: white space before it is a gap. */
  #skipGap(source: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && (source[at] <= BLANK || isNbsp(source, at, end))) at += source[at] === NBSP_LEAD ? 2 : 1;
    if (at > start && this.#gap === 0) this.#gap = BLANK;
    return at;
  }

  #addLong(kernel: DocumentKernel, source: Uint8Array, start: number, end: number, literal: boolean): void {
    const text = kernel.collapse(start, end, literal);
    if (text.length > 0) {
      if (this.#gap !== 0 && this.#length > this.#start) this.#buffer[this.#length++] = this.#gap;
      this.#buffer.set(text, this.#length);
      this.#length += text.length;
      this.#gap = kernel.endsWithGap ? BLANK : 0;
      if (!kernel.isAscii) this.#bits |= NBSP_LEAD;
    }
    if (kernel.stoppedAt < end) this.#addBytes(source, kernel.stoppedAt, end, false);
  }

  #addBytes(source: Uint8Array, start: number, end: number, literal: boolean): void {
    const buffer = this.#buffer;
    const first = this.#start;
    let length = this.#length;
    let gap = this.#gap;
    let bits = this.#bits;
    let at = start;
    while (at < end) {
      let byte = source[at];
      let width = 1;
      if (byte === AMPERSAND && !literal) {
        const reference = simpleReference(source, at, end);
        if (reference === undefined) break;
        byte = reference.byte;
        width = reference.written.length;
      } else if (isNbsp(source, at, end)) {
        byte = BLANK;
        width = 2;
      }
      at += width;
      if (byte <= BLANK) {
        if (gap === 0) gap = BLANK;
        continue;
      }
      if (gap !== 0) {
        if (length > first) buffer[length++] = gap;
        gap = 0;
      }
      buffer[length++] = byte;
      bits |= byte;
      let isAfterGap = 0;
      // No branch depends on where words end: it would be guessed wrong.
      for (; at < end; at++) {
        const plain = PLAIN[source[at]];
        if (plain === 0) break;
        const isGap = IS_GAP[plain];
        buffer[length] = plain;
        length += 1 ^ (isGap & isAfterGap);
        isAfterGap = isGap;
        bits |= plain;
      }
      if (isAfterGap === 1) {
        length--;
        gap = BLANK;
      }
    }
    this.#length = length;
    this.#gap = gap;
    this.#bits = bits;
    if (at < end) this.#addDecoded(source, at, end, false);
  }

  /** Takes text that is decoded already. */
  addString(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    this.#reserve(bytes.length + 1);
    // Not the document, which the kernel would have to copy once more.
    this.#addBytes(bytes, 0, bytes.length, true);
  }

  /** What follows is another word. */
  breakWord(): void {
    if (this.#gap === 0) this.#gap = BLANK;
  }

  /** What follows is another block. */
  breakBlock(): void {
    this.#gap = LINE_FEED;
  }

  /** The text so far; begins again. */
  take(): string {
    const text = this.#text();
    this.#length = this.#start;
    this.#gap = 0;
    this.#bits = 0;
    return text;
  }

  /** Leaves the text so far for `left`; begins again. */
  leave(): void {
    if (this.#bits > 0x7f) this.#further.add(this.#ends.length);
    this.#ends.push(this.#length);
    this.#start = this.#length;
    this.#gap = 0;
    this.#bits = 0;
  }

  /** The texts that were left: parts of one string, since to make each by itself takes many times as long. */
  left(): string[] {
    const ascii = this.#buffer.toString('latin1', 0, this.#start);
    let start = 0;
    return this.#ends.map((end, place) => {
      const text = this.#further.has(place) ? this.#buffer.toString('utf8', start, end) : ascii.slice(start, end);
      start = end;
      return text;
    });
  }

  #text(): string {
    if (this.#bits > 0x7f) return this.#buffer.toString('utf8', this.#start, this.#length);
    return this.#start === 0 && this.#length <= LONGEST_SHORT_TEXT
      ? shortTexts().of(this.#buffer, this.#length)
      : this.#buffer.toString('latin1', this.#start, this.#length);
  }

  #addDecoded(source: Uint8Array, start: number, end: number, literal: boolean): void {
    const text = Buffer.from(source.buffer, source.byteOffset + start, end - start).toString('utf8');
    this.addString(literal ? text : decodeReferences(text, false));
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

const shortTexts = madeOnce(() => new ShortTexts());

function isNbsp(source: Uint8Array, at: number, end: number): boolean {
  return source[at] === NBSP_LEAD && at + 1 < end && source[at + 1] === NBSP_TRAIL;
}
