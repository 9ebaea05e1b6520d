import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export type StoredValue = null | number | bigint | string | Uint8Array;

/** A row as it lies in the file: values in the order of the record, and the rowid of tables that have one. */
export interface StoredRow {
  readonly rowid: bigint | undefined;
  readonly values: readonly StoredValue[];
}

export type OnDamage = (page: number, why: string) => void;

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;
const FILE_HEADER = 100;
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

/**
 * Reads the b-trees of an SQLite file page by page (https://www.sqlite.org/fileformat2.html). SQLite itself gives up a
 * whole query at the first damaged page; this gives every row of the pages that are sound.
 */
export class SqliteFile implements Disposable {
  readonly #fd: number;
  readonly #pageSize: number;
  readonly #usable: number;
  readonly #pages: number;

  constructor(path: string, pageSize: number) {
    this.#fd = openSync(path, 'r');
    this.#pageSize = pageSize;
    this.#usable = pageSize;
    this.#pages = Math.floor(fstatSync(this.#fd).size / pageSize);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  /** The rows of the tree below `root`. Tells of each page that cannot be read, and passes over it. */
  *rows(root: number, onDamage: OnDamage): Generator<StoredRow> {
    yield* this.#walk(root, undefined, new Set(), onDamage);
  }

  *#walk(
    number: number,
    isTable: boolean | undefined,
    seen: Set<number>,
    onDamage: OnDamage,
  ): Generator<StoredRow, void, undefined> {
    if (seen.has(number)) return onDamage(number, 'two pages lead to it');
    seen.add(number);
    const page = this.#page(number);
    if (page === undefined) return onDamage(number, 'it lies beyond the end of the file');
    const start = number === 1 ? FILE_HEADER : 0;
    const type = page[start];
    const table = type === INTERIOR_TABLE || type === LEAF_TABLE;
    const interior = type === INTERIOR_TABLE || type === INTERIOR_INDEX;
    const known = interior || type === LEAF_TABLE || type === LEAF_INDEX;
    const cells = page.readUInt16BE(start + 3);
    const pointers = start + (interior ? 12 : 8);
    if (!known || (isTable !== undefined && isTable !== table) || pointers + cells * 2 > this.#usable)
      return onDamage(number, 'it is no page of this table');
    for (let cell = 0; cell < cells; cell++) {
      let at = page.readUInt16BE(pointers + cell * 2);
      if (interior) {
        if (at + 4 <= this.#usable) yield* this.#walk(page.readUInt32BE(at), table, seen, onDamage);
        else onDamage(number, 'a pointer leads out of it');
        at += 4;
      }
      // An interior page of a table holds keys alone; one of an index (a table without rowid) holds rows, too.
      if (type === INTERIOR_TABLE) continue;
      try {
        yield this.#row(page, at, table);
      } catch (error) {
        onDamage(number, (error as Error).message);
      }
    }
    if (interior) yield* this.#walk(page.readUInt32BE(start + 8), table, seen, onDamage);
  }

  #row(page: Buffer, at: number, table: boolean): StoredRow {
    const [length, afterLength] = varint(page, at);
    const [rowid, start] = table ? varint(page, afterLength) : [undefined, afterLength];
    const payload = this.#payload(page, start, Number(length), table);
    return { rowid: rowid === undefined ? undefined : BigInt.asIntN(64, rowid), values: recordValues(payload) };
  }

  #payload(page: Buffer, at: number, length: number, table: boolean): Buffer {
    const usable = this.#usable;
    const most = table ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    if (length <= most) return slice(page, at, length);
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const fitting = least + ((length - least) % (usable - 4));
    const local = fitting <= most ? fitting : least;
    const parts = [slice(page, at, local)];
    let missing = length - local;
    for (let next = slice(page, at + local, 4).readUInt32BE(0); missing > 0; ) {
      const overflow = this.#page(next);
      // A chain cannot have more pages than the file.
      if (overflow === undefined || parts.length > this.#pages) throw new RangeError('the rest of a row is missing');
      const part = overflow.subarray(4, Math.min(usable, 4 + missing));
      parts.push(part);
      missing -= part.length;
      next = overflow.readUInt32BE(0);
    }
    return Buffer.concat(parts);
  }

  #page(number: number): Buffer | undefined {
    if (number < 1 || number > this.#pages) return undefined;
    const page = Buffer.allocUnsafe(this.#pageSize);
    const read = readSync(this.#fd, page, 0, this.#pageSize, (number - 1) * this.#pageSize);
    return read === this.#pageSize ? page : undefined;
  }
}

function recordValues(payload: Buffer): StoredValue[] {
  const [headLength, first] = varint(payload, 0);
  const head = Number(headLength);
  const values: StoredValue[] = [];
  let body = head;
  for (let at = first; at < head; ) {
    const [type, next] = varint(payload, at);
    at = next;
    const size = sizeOf(Number(type));
    values.push(readValue(Number(type), slice(payload, body, size)));
    body += size;
  }
  if (body !== payload.length) throw new RangeError('a row has a wrong length');
  return values;
}

function sizeOf(type: number): number {
  if (type <= 6) return INTEGER_BYTES[type];
  if (type === 7) return 8;
  return type < 12 ? 0 : (type - 12 - (type % 2)) / 2;
}

function readValue(type: number, bytes: Buffer): StoredValue {
  if (type === 0) return null;
  if (type <= 5) return bytes.readIntBE(0, bytes.length);
  if (type === 6) {
    const wide = bytes.readBigInt64BE(0);
    return BigInt(Number(wide)) === wide && Number.isSafeInteger(Number(wide)) ? Number(wide) : wide;
  }
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 8 || type === 9) return type - 8;
  if (type < 12) throw new RangeError('a row holds a value of no known type');
  return type % 2 === 0 ? Uint8Array.from(bytes) : bytes.toString('utf8');
}

function varint(bytes: Buffer, at: number): readonly [value: bigint, next: number] {
  let value = 0n;
  for (let i = 0; i < 9; i++) {
    const byte = slice(bytes, at + i, 1)[0];
    if (i === 8) return [(value << 8n) | BigInt(byte), at + 9];
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return [value, at + i + 1];
  }
  throw new RangeError('a number has no end');
}

function slice(bytes: Buffer, at: number, length: number): Buffer {
  if (at < 0 || length < 0 || at + length > bytes.length) throw new RangeError('a row leads out of its page');
  return bytes.subarray(at, at + length);
}
