import type { ByteSource } from './byte-text.ts';
import { ANY_TAG } from './element-traits.ts';
import { HtmlScanner } from './html-scanner.ts';
import type { TagMemory } from './tags/tag-memory.ts';

/** Reads a document tag by tag; the tag or text at hand is that of the scanner it was made with. */
export interface MarkupReader {
  /**
   * Traits: a start tag, or an end tag, that has none of them means nothing to this reader as things stand, and it need not be told of it.
   * Start tags of elements whose content is no markup always mean something.
   */
  readonly startTraits: number;
  readonly endTraits: number;
  /** Whether a text that comes now means anything to this reader. */
  readonly takesText: boolean;
  /** Answers whether the content of the element is no markup to this reader. */
  startTag(): boolean;
  /** That content as the scanner's text, where the answer was yes; the tag is still at hand. */
  rawText(): void;
  endTag(): void;
  text(): void;
  end?(): void;
}

type Maker<Reader> = (scanner: HtmlScanner) => Reader;

/** What makes each of the readers. */
export type ReaderMakers<Readers extends readonly MarkupReader[]> = {
  readonly [Place in keyof Readers]: Maker<Readers[Place]>;
};

/**
 * Lets readers share one pass over a document, six at a time. Each is told of the tokens that it would meet alone and that mean anything to it, so that
 * what it finds does not depend on who reads with it. `tags`: of the documents that were read before.
 */
export function scanOnce<Readers extends readonly MarkupReader[]>(
  source: ByteSource,
  makers: ReaderMakers<Readers>,
  tags?: TagMemory,
): Readers {
  if (makers.length > MOST_READERS) {
    const [shared, others] = [makers.slice(0, MOST_READERS), makers.slice(MOST_READERS)];
    return [...scanOnce(source, shared, tags), ...scanOnce(source, others, tags)] as unknown as Readers;
  }
  const scanner = new HtmlScanner(source, true, tags);
  const readers: MarkupReader[] = makers.map((make: Maker<MarkupReader>) => make(scanner));
  const lost = new SharedReading(scanner, readers).read();
  for (const place of lost) [readers[place]] = scanOnce<[MarkupReader]>(source, [makers[place]]);
  return readers as unknown as Readers;
}

const MOST_READERS = 6;
/** Takes the places that nobody has. */
const IDLE: MarkupReader = {
  startTraits: 0,
  endTraits: 0,
  takesText: false,
  startTag: () => false,
  rawText() {},
  endTag() {},
  text() {},
};

const EVERYWHERE = Number.MAX_SAFE_INTEGER;

/**
 * Readers do not agree on what is raw text: a script in an SVG, a noscript. Where only some pass over the content of an
 * element, the others read on, and those sleep until the end tag. Where the others never meet that tag, since to them it
 * stands in a comment, say, the sleepers have lost their place and read again, alone.
 */
class SharedReading {
  readonly #scanner: HtmlScanner;
  readonly #readers: readonly MarkupReader[];
  /** Where each sleeper wakes up. */
  readonly #wakeAt: number[];
  /** Sleepers, as a set of bits; `#nearest` is where the first of them wakes up. */
  #asleep = 0;
  #nearest = EVERYWHERE;
  readonly #lost: number[] = [];

  constructor(scanner: HtmlScanner, readers: readonly MarkupReader[]) {
    this.#scanner = scanner;
    this.#readers = readers;
    this.#wakeAt = readers.map(() => EVERYWHERE);
    scanner.wantsText = true;
  }

  /** Answers the places of those who lost theirs. */
  read(): readonly number[] {
    this.#readTokens();
    this.#finish();
    return this.#lost;
  }

  /**
   * Each place has a call of its own, not a turn of a loop: in a loop the engine would meet more kinds of readers than it keeps ready, and
   * look the method up for each reader and token. Nothing comes after the last token: where the engine has compiled the loop before it saw
   * the end of one, it would give that up at the end of each document.
   */
  #readTokens(): void {
    const scanner = this.#scanner;
    const [r0, r1 = IDLE, r2 = IDLE, r3 = IDLE, r4 = IDLE, r5 = IDLE] = this.#readers;
    for (;;) {
      const token = scanner.next();
      if (scanner.tokenStart >= this.#nearest && token !== 'end') this.#wake();
      const asleep = this.#asleep;
      if (token === 'start-tag') {
        const traits = scanner.traits | ANY_TAG;
        let raw = 0;
        if ((asleep & 1) === 0 && (traits & r0.startTraits) !== 0 && r0.startTag()) raw |= 1;
        if ((asleep & 2) === 0 && (traits & r1.startTraits) !== 0 && r1.startTag()) raw |= 2;
        if ((asleep & 4) === 0 && (traits & r2.startTraits) !== 0 && r2.startTag()) raw |= 4;
        if ((asleep & 8) === 0 && (traits & r3.startTraits) !== 0 && r3.startTag()) raw |= 8;
        if ((asleep & 16) === 0 && (traits & r4.startTraits) !== 0 && r4.startTag()) raw |= 16;
        if ((asleep & 32) === 0 && (traits & r5.startTraits) !== 0 && r5.startTag()) raw |= 32;
        if (raw !== 0) this.#readRaw(raw);
      } else if (token === 'text') {
        if ((asleep & 1) === 0 && r0.takesText) r0.text();
        if ((asleep & 2) === 0 && r1.takesText) r1.text();
        if ((asleep & 4) === 0 && r2.takesText) r2.text();
        if ((asleep & 8) === 0 && r3.takesText) r3.text();
        if ((asleep & 16) === 0 && r4.takesText) r4.text();
        if ((asleep & 32) === 0 && r5.takesText) r5.text();
      } else if (token === 'end-tag') {
        const traits = scanner.traits | ANY_TAG;
        if ((asleep & 1) === 0 && (traits & r0.endTraits) !== 0) r0.endTag();
        if ((asleep & 2) === 0 && (traits & r1.endTraits) !== 0) r1.endTag();
        if ((asleep & 4) === 0 && (traits & r2.endTraits) !== 0) r2.endTag();
        if ((asleep & 8) === 0 && (traits & r3.endTraits) !== 0) r3.endTag();
        if ((asleep & 16) === 0 && (traits & r4.endTraits) !== 0) r4.endTag();
        if ((asleep & 32) === 0 && (traits & r5.endTraits) !== 0) r5.endTag();
      } else return;
    }
  }

  #readRaw(raw: number): void {
    const scanner = this.#scanner;
    const everybody = (1 << this.#readers.length) - 1;
    scanner.findRawText(scanner.name);
    const end = scanner.textEnd;
    if (raw === (everybody & ~this.#asleep) && end <= this.#nearest) scanner.passText();
    else {
      for (let place = 0; place < this.#readers.length; place++)
        if ((raw & (1 << place)) !== 0) this.#wakeAt[place] = end;
      this.#asleep |= raw;
      this.#nearest = Math.min(this.#nearest, end);
    }
    for (let place = 0; place < this.#readers.length; place++)
      if ((raw & (1 << place)) !== 0) this.#readers[place].rawText();
  }

  #wake(): void {
    const { tokenStart } = this.#scanner;
    this.#nearest = EVERYWHERE;
    for (let place = 0; place < this.#readers.length; place++) {
      const end = this.#wakeAt[place];
      if (tokenStart < end) {
        this.#nearest = Math.min(this.#nearest, end);
        continue;
      }
      this.#wakeAt[place] = EVERYWHERE;
      // One who lost his place sleeps on.
      if (tokenStart > end) this.#lost.push(place);
      else this.#asleep &= ~(1 << place);
    }
  }

  #finish(): void {
    for (let place = 0; place < this.#readers.length; place++) {
      const end = this.#wakeAt[place];
      if (end !== EVERYWHERE && end < this.#scanner.html.length) this.#lost.push(place);
      else if (!this.#lost.includes(place)) this.#readers[place].end?.();
    }
  }
}
