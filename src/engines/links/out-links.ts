import { OrbweaverError } from '../../base/errors.ts';
import type { LinkLines, OutLink } from '../../contracts/state/link-store.ts';

/** Longer anchor texts are cut: they are paragraphs inside a link, not names of the page behind it. */
const LONGEST_TEXT = 256;

const NOFOLLOW = 1;

/** There is room for so many before more is made. */
const FIRST_LINKS = 256;

/** An anchor text as it is kept. */
export function keptText(text: string): string {
  if (text.length <= LONGEST_TEXT) return text.trim();
  const last = text.charCodeAt(LONGEST_TEXT - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? LONGEST_TEXT - 1 : LONGEST_TEXT).trim();
}

export function keptLink(link: OutLink): OutLink {
  const text = keptText(link.text);
  return text === link.text ? link : { ...link, text };
}

/** The links of one page as one value; each URL as what it does not share with the one before it. */
export class OutLinkEncoder {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #at = 0;
  /** Where the last text begins. */
  #textAt = 0;
  #ascii = Buffer.allocUnsafe(1 << 14);
  /** Where each URL of the lines ends. */
  #urlEnds = new Uint32Array(FIRST_LINKS);
  /** Where the text of each link begins and ends in the value. */
  textPlaces = new Uint32Array(2 * FIRST_LINKS);

  /**
   * Texts have to be as `keptText` gives them. `lines`: the URLs and, unless they were cut, the texts as they came. The value is valid
   * until the next one.
   */
  encode(page: string, links: readonly OutLink[], lines?: LinkLines): Buffer {
    if (2 * links.length > this.textPlaces.length) {
      this.textPlaces = new Uint32Array(4 * links.length);
      this.#urlEnds = new Uint32Array(2 * links.length);
    }
    if (lines === undefined || !this.#encodeLines(page, links, lines)) this.#encodeLinks(page, links);
    return this.#bytes.subarray(0, this.#at);
  }

  #encodeLinks(page: string, links: readonly OutLink[]): void {
    this.#at = 0;
    this.#reserve(10);
    this.#number(links.length);
    let before = page;
    let place = 0;
    for (const { url, text, nofollow } of links) {
      this.#reserve(3 * (url.length + text.length) + 32);
      const shared = sharedLength(before, url);
      this.#number(shared);
      this.#text(shared === 0 ? url : url.slice(shared));
      this.#bytes[this.#at++] = nofollow ? NOFOLLOW : 0;
      this.#text(text);
      this.textPlaces[place++] = this.#textAt;
      this.textPlaces[place++] = this.#at;
      before = url;
    }
  }

  /** The same where all is ASCII, from bytes that are put down at once. False where it is not so, or lines and links are not the same. */
  #encodeLines(page: string, links: readonly OutLink[], { urls, texts, targets }: LinkLines): boolean {
    const textsAt = page.length + urls.length;
    const textsEnd = textsAt + texts.length;
    this.#at = 0;
    // With room for one character more: a text that is not ASCII must not seem to be so where it is cut off.
    const room = textsEnd + 4;
    if (this.#ascii.length < room) this.#ascii = Buffer.allocUnsafe(2 * room);
    const ascii = this.#ascii;
    // As many bytes as characters: all of them are ASCII.
    if (ascii.write(page, 0, 'utf8') !== page.length || ascii.write(urls, page.length, 'utf8') !== urls.length)
      return false;
    if (ascii.write(texts, textsAt, 'utf8') !== texts.length) return false;
    this.#reserve(10);
    this.#number(links.length);
    const ends = this.#urlEnds;
    const places = this.textPlaces;
    let known = 0;
    let next = page.length;
    let before = 0;
    let beforeEnd = page.length;
    let text = textsAt;
    for (let link = 0; link < links.length; link++) {
      const { length } = links[link].url;
      const number = targets[link] >>> 1;
      if (number === known) {
        ends[known++] = next + length;
        next += length + 1;
      }
      const urlEnd = ends[number];
      const url = urlEnd - length;
      const textEnd = text + links[link].text.length;
      if (number >= known || urlEnd > textsAt || textEnd > textsEnd) return false;
      this.#reserve(length + textEnd - text + 32);
      const shared = url === before ? length : sharedBytes(ascii, before, beforeEnd, url, urlEnd);
      this.#number(shared);
      this.#part(url + shared, urlEnd);
      this.#bytes[this.#at++] = links[link].nofollow ? NOFOLLOW : 0;
      this.#part(text, textEnd);
      places[2 * link] = this.#at - (textEnd - text);
      places[2 * link + 1] = this.#at;
      before = url;
      beforeEnd = urlEnd;
      text = textEnd + 1;
    }
    // Behind the last line is nothing.
    return next === textsAt + 1 && text === textsEnd + 1;
  }

  #part(from: number, to: number): void {
    this.#number(to - from);
    const ascii = this.#ascii;
    const bytes = this.#bytes;
    let at = this.#at;
    for (let byte = from; byte < to; byte++) bytes[at++] = ascii[byte];
    this.#at = at;
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + more));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  #number(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  #text(text: string): void {
    // The length comes first and takes one byte for nearly all: only for the others it has to be counted.
    if (text.length < 0x80 / 3) {
      const length = this.#bytes.write(text, this.#at + 1, 'utf8');
      this.#bytes[this.#at++] = length;
      this.#textAt = this.#at;
      this.#at += length;
      return;
    }
    this.#number(Buffer.byteLength(text));
    this.#textAt = this.#at;
    this.#at += this.#bytes.write(text, this.#at, 'utf8');
  }
}

export function decodeOutLinks(page: string, value: Uint8Array): OutLink[] {
  const reader = new ValueReader(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  const links: OutLink[] = [];
  let before = page;
  for (let left = reader.number(); left > 0; left--) {
    const shared = reader.number();
    const url = before.slice(0, shared) + reader.text();
    const nofollow = (reader.byte() & NOFOLLOW) !== 0;
    links.push({ url, text: reader.text(), nofollow });
    before = url;
  }
  return links;
}

/** The same for those who need no texts. */
export function eachTarget(page: string, value: Uint8Array, visit: (url: string, nofollow: boolean) => void): void {
  const reader = new ValueReader(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  let before = page;
  for (let left = reader.number(); left > 0; left--) {
    const shared = reader.number();
    const url = before.slice(0, shared) + reader.text();
    visit(url, (reader.byte() & NOFOLLOW) !== 0);
    reader.skipText();
    before = url;
  }
}

class ValueReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes[this.#at++];
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (this.#at >= this.#bytes.length)
        throw new OrbweaverError('FOLDER_CORRUPT', 'The links of a page are cut off.');
      const byte = this.#bytes[this.#at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  skipText(): void {
    const length = this.number();
    this.#at += length;
  }

  text(): string {
    const length = this.number();
    const start = this.#at;
    this.#at += length;
    return this.#bytes.toString('utf8', start, this.#at);
  }
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // Half of a pair of surrogates cannot be written.
  const next = b.charCodeAt(at);
  return next >= 0xdc00 && next <= 0xdfff && at > 0 ? at - 1 : at;
}

function sharedBytes(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  const most = Math.min(aEnd - a, bEnd - b);
  let shared = 0;
  while (shared < most && bytes[a + shared] === bytes[b + shared]) shared++;
  return shared;
}
