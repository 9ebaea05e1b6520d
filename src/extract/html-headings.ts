import { byteSourceOf } from './byte-text.ts';
import { ANY_TAG, BLOCK, headingLevels, RAW_TEXT } from './element-traits.ts';
import type { HtmlScanner } from './html-scanner.ts';
import { type MarkupReader, scanOnce } from './scan-once.ts';
import { attributeName } from './tags/attribute-name.ts';
import { CollapsedText } from './texts/collapsed-text.ts';

/** Headings tell what a page is about; a page of nothing but headings tells no more than its first ones. */
const MOST_HEADINGS = 1000;
const MOST_BYTES = 32_768;
/** A longer term is a paragraph. */
const LONGEST_TERM = 300;
/** Types in a signature are links, too. */
const MOST_LINKED = 0.3;
const BRACKET = 0x5b;
/** Of the headings that are read, the lowest. */
const LOWEST_LEVEL = 3;
/** Between what is read: headings and terms are blocks. */
const BETWEEN = BLOCK | RAW_TEXT;
const HREF = attributeName('href');

/**
 * What a page names itself, one per line: the texts of h1 to h3, and the terms that it defines (dt). Where a link stands
 * first or makes up much of it, the term is defined elsewhere: it is an entry of an index or a table of contents.
 */
export function htmlHeadings(source: Uint8Array | string): string {
  const [reader] = scanOnce<[HeadingReader]>(byteSourceOf(source), [(scanner) => new HeadingReader(scanner)]);
  return reader.headings;
}

/** The same, in a pass over the document that is shared with others. */
export class HeadingReader implements MarkupReader {
  startTraits = BETWEEN;
  endTraits = 0;
  takesText = false;
  readonly #scanner: HtmlScanner;
  readonly #lines: string[] = [];
  readonly #line = new CollapsedText(256);
  #bytes = 0;
  /** The element that is being read; '' outside of any. */
  #name = '';
  #linkedFrom = -1;
  #linked = 0;
  #isAside = false;

  constructor(scanner: HtmlScanner) {
    this.#scanner = scanner;
  }

  get headings(): string {
    return this.#lines.join('\n');
  }

  startTag(): boolean {
    const { name, nameNumber, traits } = this.#scanner;
    if ((traits & RAW_TEXT) !== 0) return true;
    const level = headingLevels[nameNumber];
    if (name === 'dt' || (level !== 0 && level <= LOWEST_LEVEL)) {
      this.end();
      if (!this.#isFull) this.#begin(name);
    } else if (name === 'dd') this.end();
    else if (this.#name === '') return false;
    else if (name === 'a') this.#openLink();
    else if ((traits & BLOCK) !== 0) this.#line.breakWord();
    return false;
  }

  rawText(): void {}

  endTag(): void {
    if (this.#name === '') return;
    const { name } = this.#scanner;
    if (name === 'a') this.#closeLink();
    else if (name === this.#name || name === 'dl') this.end();
  }

  text(): void {
    if (this.#name === '') return;
    const { bytes, textStart, textEnd, literal } = this.#scanner;
    if (this.#linkedFrom === this.#line.length) this.#isAside = bytes[textStart] === BRACKET;
    this.#line.add(bytes, textStart, textEnd, literal);
  }

  /** What is being read comes to its end. */
  end(): void {
    if (this.#name === '') return;
    this.#closeLink();
    const isTerm = this.#name === 'dt';
    const linked = this.#linked;
    const text = this.#line.take();
    this.#name = '';
    this.startTraits = BETWEEN;
    this.endTraits = 0;
    this.takesText = false;
    this.#linked = 0;
    if (text === '' || (isTerm && (text.length > LONGEST_TERM || linked > text.length * MOST_LINKED))) return;
    this.#lines.push(text);
    this.#bytes += text.length;
  }

  #begin(name: string): void {
    this.#name = name;
    this.startTraits = ANY_TAG;
    this.endTraits = ANY_TAG;
    this.takesText = true;
  }

  get #isFull(): boolean {
    return this.#lines.length >= MOST_HEADINGS || this.#bytes > MOST_BYTES;
  }

  #openLink(): void {
    this.#closeLink();
    const target = this.#name === 'dt' ? this.#scanner.attribute(HREF) : undefined;
    if (target !== undefined && !target.startsWith('#')) this.#linkedFrom = this.#line.length;
  }

  #closeLink(): void {
    const from = this.#linkedFrom;
    if (from === 0 && this.#line.length > 0) this.#linked = Number.POSITIVE_INFINITY;
    // "[source]" says what is behind it, not what the term is.
    else if (from > 0 && !this.#isAside) this.#linked += this.#line.length - from;
    this.#linkedFrom = -1;
  }
}
