import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import { diskError } from '../../base/disk-error.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { type IndexDisk, type IndexFile, nodeIndexDisk } from '../store/index-disk.ts';

const compress = promisify(zstdCompress);

const MAGIC = Buffer.from('orbweaver-delta\n', 'latin1');
/** Sections are cut into frames of this many bytes, each compressed where that saves something. */
const FRAME = 1 << 20;
/** What is saved by less is not worth unpacking. */
const WORTH = 0.95;
/** Length of the directory (4), its digest (32), the magic again. */
const FOOT = 36 + MAGIC.length;
const MOST_DIRECTORY = 64 * 1024 * 1024;

interface Section {
  readonly at: number;
  /** In the file. */
  readonly length: number;
  /** Unpacked. */
  readonly bytes: number;
  readonly sha256: string;
}

interface Directory<Head> {
  readonly head: Head;
  readonly sections: Readonly<Record<string, Section>>;
}

/** Writes a file of named sections with a directory at its end, each section with its digest. */
export class SectionsWriter {
  readonly #file: IndexFile;
  readonly #pack: boolean;
  readonly #sections: Record<string, Section> = {};
  #length = 0;

  /** `pack`: compressed; else frames stay as they are. */
  constructor(path: string, pack: boolean, disk: IndexDisk = nodeIndexDisk) {
    this.#pack = pack;
    this.#file = disk.create(path);
    this.#append(MAGIC);
  }

  async add(name: string, pieces: Iterable<Uint8Array>): Promise<void> {
    const at = this.#length;
    const hash = createHash('sha256');
    let bytes = 0;
    for (const piece of pieces)
      for (let from = 0; from < piece.length; from += FRAME) {
        const frame = piece.subarray(from, from + FRAME);
        hash.update(frame);
        bytes += frame.length;
        await this.#frame(frame);
      }
    this.#sections[name] = { at, length: this.#length - at, bytes, sha256: hash.digest('hex') };
  }

  /** Durable when it resolves. Returns how long the file is. */
  async finish(head: unknown): Promise<number> {
    const directory = Buffer.from(JSON.stringify({ head, sections: this.#sections }));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(directory.length);
    this.#append(directory);
    this.#append(length);
    this.#append(createHash('sha256').update(directory).digest());
    this.#append(MAGIC);
    await this.#file.sync();
    this.#file.close();
    return this.#length;
  }

  async #frame(frame: Uint8Array): Promise<void> {
    const packed = this.#pack ? await compress(frame) : frame;
    const isPacked = packed.length < frame.length * WORTH;
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32LE(frame.length, 0);
    sizes.writeUInt32LE(isPacked ? packed.length : 0, 4);
    this.#append(sizes);
    this.#append(isPacked ? packed : frame);
  }

  #append(bytes: Uint8Array): void {
    this.#file.append(bytes);
    this.#length += bytes.length;
  }
}

/** Reads such a file. Whatever is wrong with it is INPUT_INVALID. */
export class SectionsReader<Head> implements Disposable {
  readonly head: Head;
  readonly bytes: number;
  readonly #path: string;
  readonly #fd: number;
  readonly #sections: Readonly<Record<string, Section>>;

  constructor(path: string) {
    this.#path = path;
    try {
      this.#fd = openSync(path, 'r');
    } catch (cause) {
      throw diskError(cause, path);
    }
    try {
      this.bytes = fstatSync(this.#fd).size;
      const { head, sections } = this.#directory();
      this.head = head;
      this.#sections = sections;
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#sections, name);
  }

  /** The section frame by frame; its digest is compared at the end. */
  *section(name: string): Generator<Uint8Array, void, undefined> {
    if (!this.has(name)) throw this.#damaged(`the section ${name} is missing`);
    const { at, length, bytes, sha256 } = this.#sections[name];
    const hash: Hash = createHash('sha256');
    let unpacked = 0;
    for (let from = at; from < at + length; ) {
      const sizes = this.#read(from, 8);
      const [plain, packed] = [sizes.readUInt32LE(0), sizes.readUInt32LE(4)];
      if (plain === 0 || plain > FRAME || packed > FRAME) throw this.#damaged(`a frame of ${name} has no size`);
      const stored = this.#read(from + 8, packed === 0 ? plain : packed);
      const frame = packed === 0 ? stored : this.#unpacked(stored, plain, name);
      hash.update(frame);
      unpacked += frame.length;
      from += 8 + stored.length;
      yield frame;
    }
    if (unpacked !== bytes || hash.digest('hex') !== sha256) throw this.#damaged(`${name} has another digest`);
  }

  /** A small section in one piece. */
  whole(name: string): Uint8Array {
    return Buffer.concat([...this.section(name)]);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  #directory(): Directory<Head> {
    if (this.bytes < MAGIC.length + FOOT || !this.#read(0, MAGIC.length).equals(MAGIC))
      throw new OrbweaverError('INPUT_INVALID', `${this.#path} is no delta of a search index.`, {
        remedy: 'orbweaver index --dir FOLDER --delta FILE writes one.',
      });
    const foot = this.#read(this.bytes - FOOT, FOOT);
    const length = foot.readUInt32LE(0);
    const from = this.bytes - FOOT - length;
    if (!foot.subarray(36).equals(MAGIC) || length > MOST_DIRECTORY || from < MAGIC.length)
      throw this.#damaged('it ends too soon');
    const directory = this.#read(from, length);
    if (!createHash('sha256').update(directory).digest().equals(foot.subarray(4, 36)))
      throw this.#damaged('its directory has another digest');
    return JSON.parse(directory.toString('utf8'));
  }

  #unpacked(stored: Uint8Array, plain: number, name: string): Uint8Array {
    try {
      const frame = zstdDecompressSync(stored, { maxOutputLength: plain });
      if (frame.length === plain) return frame;
    } catch {
      // Told below, whatever it was.
    }
    throw this.#damaged(`a frame of ${name} cannot be unpacked`);
  }

  #read(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const got = readSync(this.#fd, bytes, done, length - done, at + done);
      if (got === 0) throw this.#damaged('it ends too soon');
      done += got;
    }
    return bytes;
  }

  #damaged(why: string): OrbweaverError {
    return new OrbweaverError('INPUT_INVALID', `${this.#path} is damaged: ${why}.`, {
      remedy: 'Send the file again; nothing was taken from it.',
    });
  }
}
