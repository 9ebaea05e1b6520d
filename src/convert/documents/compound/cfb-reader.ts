/** Special sector numbers start here: end of chain, free, table of tables. */
const LAST_SECTOR = 0xfffffffa;
const HEADER_LENGTH = 512;
const ENTRY_LENGTH = 128;
const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const STORAGE = 1;
const STREAM = 2;
const ROOT = 5;

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

/**
 * The streams of a compound file (the small file system inside DOC, XLS and PPT).
 * Invariants: no chain is followed longer than the file has sectors, so no loop in the tables can hold it up; a stream is
 * never larger than the file; what a cut file has lost is missing from the ends of its streams.
 */
export class CompoundFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #sectorSize: number;
  readonly #miniCutoff: number;
  readonly #fat: Uint32Array;
  readonly #miniFat: Uint32Array;
  readonly #miniStream: Uint8Array;
  readonly #entries: readonly Entry[];

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#sectorSize = this.#view.getUint16(30, true) === 12 ? 4096 : 512;
    this.#miniCutoff = this.#view.getUint32(56, true);
    this.#fat = this.#readFat();
    this.#entries = this.#readDirectory();
    this.#miniFat = this.#numbers(this.#chain(this.#view.getUint32(60, true), this.#fat));
    const root = this.#entries.find((entry) => entry.type === ROOT);
    this.#miniStream =
      root === undefined ? new Uint8Array(0) : this.#join(this.#chain(root.start, this.#fat), root.size);
  }

  static isCompound(bytes: Uint8Array): boolean {
    return SIGNATURE.every((byte, at) => bytes[at] === byte);
  }

  /** Undefined where the bytes are none, or too few. */
  static open(bytes: Uint8Array): CompoundFile | undefined {
    if (bytes.length < HEADER_LENGTH + ENTRY_LENGTH || !CompoundFile.isCompound(bytes)) return undefined;
    return new CompoundFile(bytes);
  }

  has(name: string): boolean {
    return this.#find(name, false) !== undefined;
  }

  /** A stream by its name, upper and lower case being the same; those at the top come before those in folders. */
  stream(name: string): Uint8Array | undefined {
    const entry = this.#find(name, true);
    if (entry === undefined) return undefined;
    if (entry.size >= this.#miniCutoff) return this.#join(this.#chain(entry.start, this.#fat), entry.size);
    return this.#joinMini(this.#chain(entry.start, this.#miniFat), entry.size);
  }

  #find(name: string, anywhere: boolean): Entry | undefined {
    const wanted = name.toLowerCase();
    const matches = (entry: Entry) => entry.type === STREAM && entry.name === wanted;
    return this.#topEntries().find(matches) ?? (anywhere ? this.#entries.find(matches) : undefined);
  }

  #topEntries(): Entry[] {
    const found: Entry[] = [];
    const root = this.#entries.find((entry) => entry.type === ROOT);
    const waiting = root === undefined ? [] : [root.child];
    const seen = new Set<number>();
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const entry = this.#entries[at];
      if (entry === undefined || seen.has(at)) continue;
      seen.add(at);
      found.push(entry);
      waiting.push(entry.left, entry.right);
    }
    return found;
  }

  #readFat(): Uint32Array {
    const sectors: number[] = [];
    const most = Math.ceil(this.#bytes.length / this.#sectorSize);
    for (let i = 0; i < 109; i++) sectors.push(this.#view.getUint32(76 + i * 4, true));
    const perSector = this.#sectorSize / 4 - 1;
    let next = this.#view.getUint32(68, true);
    for (let hops = 0; next < LAST_SECTOR && hops < most; hops++) {
      const start = this.#offset(next);
      if (start + this.#sectorSize > this.#bytes.length) break;
      for (let i = 0; i < perSector; i++) sectors.push(this.#view.getUint32(start + i * 4, true));
      next = this.#view.getUint32(start + perSector * 4, true);
    }
    const used = sectors.filter((sector) => sector < LAST_SECTOR);
    // A table longer than the file has sectors says nothing more.
    return this.#numbers(used.slice(0, Math.ceil((most * 4) / this.#sectorSize) + 1));
  }

  #readDirectory(): Entry[] {
    const chain = this.#chain(this.#view.getUint32(48, true), this.#fat);
    const bytes = this.#join(chain, chain.length * this.#sectorSize);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const entries: Entry[] = [];
    for (let at = 0; at + ENTRY_LENGTH <= bytes.length; at += ENTRY_LENGTH) {
      const type = view.getUint8(at + 66);
      const units = type === STORAGE || type === STREAM || type === ROOT ? view.getUint16(at + 64, true) / 2 - 1 : 0;
      let name = '';
      for (let i = 0; i < Math.min(units, 31); i++) name += String.fromCharCode(view.getUint16(at + i * 2, true));
      entries.push({
        name: name.toLowerCase(),
        type,
        left: view.getUint32(at + 68, true),
        right: view.getUint32(at + 72, true),
        child: view.getUint32(at + 76, true),
        start: view.getUint32(at + 116, true),
        size: view.getUint32(at + 120, true),
      });
    }
    return entries;
  }

  #offset(sector: number): number {
    return (sector + 1) * this.#sectorSize;
  }

  #chain(start: number, table: Uint32Array): number[] {
    const chain: number[] = [];
    for (let at = start; at < LAST_SECTOR && chain.length <= table.length; at = table[at] ?? LAST_SECTOR) {
      chain.push(at);
    }
    return chain;
  }

  #numbers(sectors: readonly number[]): Uint32Array {
    const perSector = this.#sectorSize / 4;
    const numbers = new Uint32Array(sectors.length * perSector).fill(LAST_SECTOR);
    for (const [i, sector] of sectors.entries()) {
      const start = this.#offset(sector);
      const there = Math.min(perSector, Math.floor((this.#bytes.length - start) / 4));
      for (let j = 0; j < there; j++) numbers[i * perSector + j] = this.#view.getUint32(start + j * 4, true);
    }
    return numbers;
  }

  #join(chain: readonly number[], size: number): Uint8Array {
    const length = Math.min(size, chain.length * this.#sectorSize, this.#bytes.length);
    const joined = new Uint8Array(length);
    let filled = 0;
    for (const sector of chain) {
      const start = this.#offset(sector);
      if (filled >= length || start >= this.#bytes.length) break;
      const part = this.#bytes.subarray(start, start + Math.min(this.#sectorSize, length - filled));
      joined.set(part, filled);
      filled += part.length;
    }
    return joined.subarray(0, filled);
  }

  #joinMini(chain: readonly number[], size: number): Uint8Array {
    const length = Math.min(size, chain.length * 64, this.#miniStream.length);
    const joined = new Uint8Array(length);
    let filled = 0;
    for (const sector of chain) {
      if (filled >= length || sector * 64 >= this.#miniStream.length) break;
      const part = this.#miniStream.subarray(sector * 64, sector * 64 + Math.min(64, length - filled));
      joined.set(part, filled);
      filled += part.length;
    }
    return joined.subarray(0, filled);
  }
}
