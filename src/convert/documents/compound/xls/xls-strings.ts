import type { ByteReader } from '../byte-reader.ts';
import type { CodePages } from '../code-page.ts';

const IS_WIDE = 0x01;
const HAS_PHONETIC = 0x04;
const HAS_RUNS = 0x08;

/** A text with flags before it, as Excel 97 and later write it, `units` long. */
export function flaggedText(reader: ByteReader, at: number, units: number): string {
  return (reader.u8(at) & IS_WIDE) === 0 ? latin(reader, at + 1, units) : reader.utf16(at + 1, units);
}

/** A text in the code page of the workbook, as Excel 95 and earlier write it. */
export function codePageText(
  reader: ByteReader,
  at: number,
  length: number,
  codePage: number,
  codePages: CodePages,
): string {
  return codePages.decode(reader.bytes(at, length), codePage);
}

/** The texts that the cells of a workbook share. They run on over the continuations of their record. */
export class XlsSharedStrings {
  readonly #parts: readonly ByteReader[];
  #part = 0;
  #at = 8;

  constructor(parts: readonly ByteReader[]) {
    this.#parts = parts;
  }

  /** Reads as many as there are, until `continues` says otherwise. */
  read(continues: (length: number) => boolean): string[] {
    const texts: string[] = [];
    const count = this.#parts[0]?.u32(4) ?? 0;
    while (texts.length < count && this.#hasMore()) {
      const text = this.#readOne();
      texts.push(text);
      if (!continues(text.length)) break;
    }
    return texts;
  }

  #readOne(): string {
    const units = this.#u16();
    const flags = this.#u8();
    const runs = (flags & HAS_RUNS) === 0 ? 0 : this.#u16();
    const phonetic = (flags & HAS_PHONETIC) === 0 ? 0 : this.#u16() + this.#u16() * 0x10000;
    const text = this.#text(units, (flags & IS_WIDE) !== 0);
    this.#skip(runs * 4 + phonetic);
    return text;
  }

  /** A text that runs into the next part says its width there again. */
  #text(units: number, startsWide: boolean): string {
    let text = '';
    let isWide = startsWide;
    let left = units;
    while (left > 0) {
      const part = this.#parts[this.#part];
      if (part === undefined) break;
      const here = Math.min(left, Math.floor((part.length - this.#at) / (isWide ? 2 : 1)));
      text += isWide ? part.utf16(this.#at, here) : latin(part, this.#at, here);
      this.#at += here * (isWide ? 2 : 1);
      left -= here;
      if (left === 0) break;
      this.#part++;
      this.#at = 1;
      isWide = ((this.#parts[this.#part]?.u8(0) ?? 0) & IS_WIDE) !== 0;
    }
    return text;
  }

  #hasMore(): boolean {
    while (this.#part < this.#parts.length && this.#at >= this.#parts[this.#part].length) {
      this.#at -= this.#parts[this.#part].length;
      this.#part++;
    }
    return this.#part < this.#parts.length;
  }

  #u8(): number {
    if (!this.#hasMore()) return 0;
    return this.#parts[this.#part].u8(this.#at++);
  }

  #u16(): number {
    const low = this.#u8();
    return low + this.#u8() * 256;
  }

  #skip(bytes: number): void {
    this.#at += bytes;
    this.#hasMore();
  }
}

function latin(reader: ByteReader, at: number, units: number): string {
  const bytes = reader.bytes(at, units);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
