import { ByteReader } from '../byte-reader.ts';
import type { DocPlace } from './doc-fib.ts';

const PAGE = 512;
const NO_PROPERTIES = new Uint8Array(0);

/** Calls `each` for the single properties of a list of them; `at` is where the operand lies. */
export function eachProperty(list: Uint8Array, each: (property: number, at: number, reader: ByteReader) => void): void {
  const reader = new ByteReader(list);
  let at = 0;
  while (at + 2 < list.length) {
    const property = reader.u16(at);
    at += 2;
    each(property, at, reader);
    at += operandLength(property, at, reader);
  }
}

function operandLength(property: number, at: number, reader: ByteReader): number {
  switch (property >> 13) {
    case 0:
    case 1:
      return 1;
    case 2:
    case 4:
    case 5:
      return 2;
    case 3:
      return 4;
    case 7:
      return 3;
    default:
      // The definition of a table row is the one whose length takes two bytes.
      return property === 0xd608 ? reader.u16(at) + 1 : reader.u8(at) + 1;
  }
}

/** A run of bytes of the text with the same properties. */
export interface PropertyRun {
  readonly start: number;
  readonly end: number;
  readonly properties: Uint8Array;
}

/** Properties by place in the stream. Word keeps them in pages of 512 bytes and a table of which page has which bytes. */
export class DocPropertyPages {
  readonly #stream: ByteReader;
  readonly #kind: 'characters' | 'paragraphs';
  readonly #starts: number[] = [];
  readonly #pages: number[] = [];

  constructor(stream: ByteReader, table: ByteReader, place: DocPlace, kind: 'characters' | 'paragraphs') {
    this.#stream = stream;
    this.#kind = kind;
    const length = Math.min(place.length, Math.max(0, table.length - place.at));
    const count = length < 12 ? 0 : Math.floor((length - 4) / 8);
    for (let i = 0; i < count; i++) {
      this.#starts.push(table.u32(place.at + i * 4));
      this.#pages.push(table.u32(place.at + (count + 1) * 4 + i * 4) & 0x3fffff);
    }
  }

  /** The run that holds the byte at `offset`; undefined where none is told. */
  runAt(offset: number): PropertyRun | undefined {
    const entry = lastNotAbove(this.#starts.length, (i) => this.#starts[i], offset);
    if (entry === -1) return undefined;
    const page = this.#pages[entry] * PAGE;
    const reader = this.#stream;
    const count = Math.min(reader.u8(page + PAGE - 1), 101);
    const run = lastNotAbove(count, (i) => reader.u32(page + i * 4), offset);
    if (run === -1) return undefined;
    const start = reader.u32(page + run * 4);
    const end = reader.u32(page + run * 4 + 4);
    return end > offset ? { start, end, properties: this.#properties(page, page + (count + 1) * 4, run) } : undefined;
  }

  /** A run without properties from `offset` on, where `runAt` knows of none. */
  gapAt(offset: number): PropertyRun {
    return { start: offset, end: this.#starts.length === 0 ? Infinity : offset + 1, properties: NO_PROPERTIES };
  }

  #properties(page: number, offsets: number, run: number): Uint8Array {
    const reader = this.#stream;
    const place = reader.u8(offsets + run * (this.#kind === 'characters' ? 1 : 13)) * 2;
    if (place === 0) return NO_PROPERTIES;
    const at = page + place;
    const length = reader.u8(at);
    const room = PAGE - 1 - place;
    if (this.#kind === 'characters') return reader.bytes(at + 1, Math.min(length, room - 1));
    return length === 0
      ? reader.bytes(at + 2, Math.min(reader.u8(at + 1) * 2, room - 2))
      : reader.bytes(at + 1, Math.min(length * 2 - 1, room - 1));
  }
}

/** The last of `count` ascending numbers that is not above `wanted`, or -1. */
function lastNotAbove(count: number, numberAt: (index: number) => number, wanted: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberAt(middle) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
