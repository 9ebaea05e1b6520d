import { crc32 } from 'node:zlib';
import type { BlockSet } from '../model/block-set.ts';

/** Where a page is written to, piece by piece. Pieces are strings with one character per byte. */
export interface PageSink {
  add(text: string): void;
  addBlock(block: number): void;
  /** The whole page as it is sent. */
  end(): string;
}

/** The page as it is. */
export class PlainSink implements PageSink {
  readonly #blocks: BlockSet;
  #text = '';

  constructor(blocks: BlockSet) {
    this.#blocks = blocks;
  }

  add(text: string): void {
    this.#text += text;
  }

  addBlock(block: number): void {
    this.#text += this.#blocks.text(block);
  }

  end(): string {
    return this.#text;
  }
}

const GZIP_HEAD = '\x1f\x8b\x08\0\0\0\0\0\0\xff';
/** An empty block that is the last. */
const LAST_BLOCK = '\x03\0';
const MOST_STORED = 65_535;

/**
 * The page as gzip, at hardly more cost than the plain page: the blocks were compressed once and for all and are joined,
 * what differs from page to page goes uncompressed between them. One valid stream, though a third larger than it could be.
 */
export class GzipSink implements PageSink {
  readonly #blocks: BlockSet;
  #plain = '';
  #stream = GZIP_HEAD;
  #waiting = '';

  constructor(blocks: BlockSet) {
    this.#blocks = blocks;
  }

  add(text: string): void {
    this.#plain += text;
    this.#waiting += text;
  }

  addBlock(block: number): void {
    this.#flush();
    this.#plain += this.#blocks.text(block);
    this.#stream += this.#blocks.deflated(block);
  }

  end(): string {
    this.#flush();
    const sum = crc32(Buffer.from(this.#plain, 'latin1'));
    return this.#stream + LAST_BLOCK + fourBytes(sum) + fourBytes(this.#plain.length);
  }

  #flush(): void {
    for (let at = 0; at < this.#waiting.length; at += MOST_STORED) {
      const stored = this.#waiting.slice(at, at + MOST_STORED);
      this.#stream += `\0${twoBytes(stored.length)}${twoBytes(~stored.length)}${stored}`;
    }
    this.#waiting = '';
  }
}

function twoBytes(value: number): string {
  return String.fromCharCode(value & 0xff, (value >>> 8) & 0xff);
}

function fourBytes(value: number): string {
  return twoBytes(value) + twoBytes(value >>> 16);
}
