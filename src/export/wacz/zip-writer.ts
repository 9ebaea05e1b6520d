import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file that was written into the ZIP file. */
export interface ZipMember {
  readonly name: string;
  /** Before compression. */
  readonly bytes: number;
  /** In hexadecimal digits, of the contents before compression. */
  readonly sha256: string;
}

interface DirectoryEntry {
  readonly name: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
  readonly at: number;
}

const STORED = 0;
const DEFLATED = 8;
/** Sizes follow the contents; names are UTF-8. */
const FLAGS = 0x0808;
/** ZIP64 is needed to read it. */
const VERSION = 45;
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;
const SIZES_64 = 1;

/** Writes a ZIP file from its first byte to its last, of any length, without ever going back: memory holds a piece and the directory. */
export class ZipWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #time: number;
  readonly #date: number;
  readonly #directory: DirectoryEntry[] = [];
  #at = 0;

  constructor(write: (bytes: Uint8Array) => Promise<void>, now: number) {
    this.#write = write;
    const date = new Date(now);
    this.#time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
    const year = Math.min(2107, Math.max(1980, date.getUTCFullYear()));
    this.#date = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  }

  /** Files that are compressed already are stored, so that a reader can ask for a part of one. */
  async add(name: string, contents: AsyncIterable<Uint8Array>, how: 'stored' | 'deflated'): Promise<ZipMember> {
    const encoded = Buffer.from(name);
    const method = how === 'stored' ? STORED : DEFLATED;
    const at = this.#at;
    await this.#put(localHeader(encoded, method, this.#time, this.#date));
    const start = this.#at;
    const hash = createHash('sha256');
    let crc = 0;
    let bytes = 0;
    const measured = (async function* () {
      for await (const piece of contents) {
        crc = crc32(piece, crc);
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    })();
    const packed = how === 'stored' ? measured : deflated(measured);
    for await (const piece of packed) await this.#put(piece);
    const packedBytes = this.#at - start;
    await this.#put(descriptor(crc, packedBytes, bytes));
    this.#directory.push({ name: encoded, method, crc, packed: packedBytes, bytes, at });
    return { name, bytes, sha256: hash.digest('hex') };
  }

  /** Writes the directory: the file is a ZIP file from then on. */
  async finish(): Promise<void> {
    const start = this.#at;
    for (const entry of this.#directory) await this.#put(directoryEntry(entry, this.#time, this.#date));
    await this.#put(directoryEnd(this.#directory.length, start, this.#at - start));
  }

  async #put(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    await this.#write(bytes);
    this.#at += bytes.length;
  }
}

function deflated(contents: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const from = Readable.from(contents, { objectMode: false });
  const into = createDeflateRaw();
  from.once('error', (error) => into.destroy(error));
  return from.pipe(into);
}

/** Without further fields: readers of WACZ take it for as long as the directory says of its entry. */
function localHeader(name: Buffer, method: number, time: number, date: number): Buffer {
  const head = Buffer.alloc(30 + name.length);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(VERSION, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt16LE(time, 10);
  head.writeUInt16LE(date, 12);
  head.writeUInt16LE(name.length, 26);
  name.copy(head, 30);
  return head;
}

function descriptor(crc: number, packed: number, bytes: number): Buffer {
  const isLarge = packed >= FULL_32 || bytes >= FULL_32;
  const end = Buffer.alloc(isLarge ? 24 : 16);
  end.writeUInt32LE(0x08074b50, 0);
  end.writeUInt32LE(crc, 4);
  if (isLarge) {
    end.writeBigUInt64LE(BigInt(packed), 8);
    end.writeBigUInt64LE(BigInt(bytes), 16);
  } else {
    end.writeUInt32LE(packed, 8);
    end.writeUInt32LE(bytes, 12);
  }
  return end;
}

function directoryEntry({ name, method, crc, packed, bytes, at }: DirectoryEntry, time: number, date: number): Buffer {
  const large = [bytes, packed, at].filter((value) => value >= FULL_32);
  const extra = large.length === 0 ? 0 : 4 + 8 * large.length;
  const entry = Buffer.alloc(46 + name.length + extra);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(FLAGS, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt16LE(time, 12);
  entry.writeUInt16LE(date, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(Math.min(packed, FULL_32), 20);
  entry.writeUInt32LE(Math.min(bytes, FULL_32), 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra, 30);
  entry.writeUInt32LE(Math.min(at, FULL_32), 42);
  name.copy(entry, 46);
  if (extra > 0) {
    entry.writeUInt16LE(SIZES_64, 46 + name.length);
    entry.writeUInt16LE(extra - 4, 48 + name.length);
    for (const [number, value] of large.entries()) entry.writeBigUInt64LE(BigInt(value), 50 + name.length + 8 * number);
  }
  return entry;
}

function directoryEnd(entries: number, start: number, length: number): Buffer {
  const isLarge = entries >= FULL_16 || start >= FULL_32 || length >= FULL_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, FULL_16), 8);
  end.writeUInt16LE(Math.min(entries, FULL_16), 10);
  end.writeUInt32LE(Math.min(length, FULL_32), 12);
  end.writeUInt32LE(Math.min(start, FULL_32), 16);
  if (!isLarge) return end;
  const large = Buffer.alloc(56 + 20);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(VERSION, 12);
  large.writeUInt16LE(VERSION, 14);
  large.writeBigUInt64LE(BigInt(entries), 24);
  large.writeBigUInt64LE(BigInt(entries), 32);
  large.writeBigUInt64LE(BigInt(length), 40);
  large.writeBigUInt64LE(BigInt(start), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(start + length), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}
