import { OrbweaverError } from '../../base/errors.ts';
import type { OutLink } from '../../contracts/state/link-store.ts';

/** Longer anchor texts are cut: they are paragraphs inside a link, not names of the page behind it. */
const LONGEST_TEXT = 256;

const NOFOLLOW = 1;

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

  /** Texts have to be as `keptText` gives them. */
  encode(page: string, links: readonly OutLink[]): Buffer {
    this.#at = 0;
    this.#reserve(10);
    this.#number(links.length);
    let before = page;
    for (const { url, text, nofollow } of links) {
      this.#reserve(3 * (url.length + text.length) + 32);
      const shared = sharedLength(before, url);
      this.#number(shared);
      this.#text(shared === 0 ? url : url.slice(shared));
      this.#bytes[this.#at++] = nofollow ? NOFOLLOW : 0;
      this.#text(text);
      before = url;
    }
    return Buffer.from(this.#bytes.subarray(0, this.#at));
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
      this.#bytes[this.#at] = length;
      this.#at += 1 + length;
      return;
    }
    this.#number(Buffer.byteLength(text));
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
