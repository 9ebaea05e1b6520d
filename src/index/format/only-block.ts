import { ByteReader, unpackBits } from './byte-reader.ts';
import type { CodeTable } from './code-table.ts';
import { HAS_ADDED_FORMS, HAS_EXCEPTIONS, HAS_FORMS, patch, WIDTH_MASK } from './patched-bits.ts';

/** What postings of a block are read into: of each its document, its code and so on, all at the same place. */
export interface BlockRoom {
  readonly documents: Uint32Array;
  readonly codes: Uint32Array;
  readonly forms: Uint32Array;
  readonly addedForms: Uint32Array;
  hasForms: boolean;
  /** How many positions each has. */
  readonly counts: Uint32Array;
  /** One posting after the other: its first position whole, the others as steps. */
  positionSteps: Uint32Array;
}

/** Some of the bytes of a file, and `PADDING` bytes more. */
export class ByteWindow {
  /** Which bytes of the file these are. */
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** For whoever reads numbers of them. */
  readonly reader: ByteReader;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.start = start;
    this.end = end;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.reader = new ByteReader(bytes);
  }
}

/**
 * Reads the postings of a term that has one block, as most have, from a place in the file to another; `TermPostings` reads the same, and any
 * part of it alone. A merge reads each block once and whole: to make readers for it would take longer than to read it.
 */
export function readOnlyBlock(window: ByteWindow, from: number, to: number, count: number, room: BlockRoom): void {
  const { view, reader } = window;
  // Behind a byte for the bound of the block.
  const at = from - window.start + 1;
  const codes = view.getUint8(at + 1);
  reader.at = at + 2;
  readPacked(window, view.getUint8(at), count, room.documents);
  addUpSteps(room.documents, count);
  readPacked(window, codes, count, room.codes);
  room.hasForms = (codes & (HAS_FORMS | HAS_ADDED_FORMS)) !== 0;
  if (room.hasForms) {
    if ((codes & HAS_FORMS) === 0) room.forms.fill(0, 0, count);
    else readPacked(window, reader.byte(), count, room.forms);
    if ((codes & HAS_ADDED_FORMS) === 0) room.addedForms.fill(0, 0, count);
    else readPacked(window, reader.byte(), count, room.addedForms);
  }
  if (reader.at > to - window.start) throw new RangeError('The postings of a term go on beyond their end.');
}

/** Reads its positions, when its codes were read. */
export function readOnlyPlaces(
  window: ByteWindow,
  from: number,
  to: number,
  count: number,
  { occurrences }: CodeTable,
  room: BlockRoom,
): void {
  const { reader } = window;
  const { codes, counts } = room;
  reader.at = from - window.start;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const known = occurrences[codes[i]];
    const held = known < 0 ? reader.varint() : known;
    counts[i] = held;
    total += held;
  }
  const width = reader.byte();
  if (reader.at + ((total * width + 7) >> 3) > to - window.start)
    throw new RangeError('The positions of a term go on beyond their end.');
  if (total > room.positionSteps.length) room.positionSteps = new Uint32Array(total * 2);
  unpackBits(window.view, reader.at, width, room.positionSteps, total);
}

/** Values whose width is known; the reader stands after them then. */
function readPacked({ view, reader }: ByteWindow, head: number, count: number, out: Uint32Array): void {
  const width = head & WIDTH_MASK;
  const { at } = reader;
  reader.at = at + ((count * width + 7) >> 3);
  unpackBits(view, at, width, out, count);
  if (head >= HAS_EXCEPTIONS) patch(reader, width, out);
}

function addUpSteps(documents: Uint32Array, count: number): void {
  let document = -1;
  for (let i = 0; i < count; i++) {
    document += documents[i] + 1;
    documents[i] = document;
  }
}
