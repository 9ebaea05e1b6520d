import { type ByteWriter, widthOf } from '../../base/byte-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** Set in the byte of a width when values that do not fit follow the packed ones. */
export const HAS_EXCEPTIONS = 0x80;
/** Set in the byte of the width of codes when forms follow them. */
export const HAS_FORMS = 0x40;
/** Set there, too, when forms that anchors add follow those of the other fields. */
export const HAS_ADDED_FORMS = 0x20;
export const WIDTH_MASK = 0x1f;

export interface Packing {
  readonly width: number;
  readonly exceptions: number;
}

export const NOTHING: Packing = { width: 0, exceptions: 0 };
/** Values that fit into as many bytes are never completed by a list, which takes one byte for its length and two for a value. */
const SHORT_BYTES = 3;
/** Room for one who chooses, and for one who writes: to make it for each block would take longer than all the rest. */
const NEEDING = new Uint8Array(34);
const LOW_BITS = new Uint32Array(256);

/**
 * The width that takes the fewest bytes when the values that need more bits are completed by a list: their places, and
 * what is left of them above the width. A few large values then do not widen all others.
 */
export function choosePacking(values: Uint32Array, count: number): Packing {
  let all = 0;
  for (let i = 0; i < count; i++) all |= values[i];
  if (all === 0) return NOTHING;
  const most = widthOf(all);
  let bestBytes = (count * most + 7) >> 3;
  let best: Packing = { width: most, exceptions: 0 };
  if (bestBytes <= SHORT_BYTES) return best;
  const needing = NEEDING.fill(0);
  for (let i = 0; i < count; i++) needing[widthOf(values[i])]++;
  let exceptions = 0;
  for (let width = most - 1; width >= 0; width--) {
    exceptions += needing[width + 1];
    // A place and mostly one byte for what is above: steps beyond 7 bits over the width are rare.
    const bytes = ((count * width + 7) >> 3) + 1 + exceptions * (most - width > 7 ? 3 : 2);
    if (bytes < bestBytes) {
      bestBytes = bytes;
      best = { width, exceptions };
    }
  }
  return best;
}

export function writePacked(out: ByteWriter, values: Uint32Array, count: number, { width, exceptions }: Packing): void {
  if (exceptions === 0) {
    out.bits(values, count, width);
    return;
  }
  const mask = 2 ** width - 1;
  const low = LOW_BITS;
  for (let i = 0; i < count; i++) low[i] = values[i] & mask;
  out.bits(low, count, width);
  out.byte(exceptions);
  for (let i = 0; i < count; i++) {
    if (values[i] <= mask) continue;
    out.byte(i);
    out.varint(values[i] >>> width);
  }
}

/** Completes values whose lower `width` bits were unpacked; the reader stands at the list. */
export function patch(reader: ByteReader, width: number, values: Uint32Array): void {
  for (let left = reader.byte(); left > 0; left--) {
    const at = reader.byte();
    values[at] |= reader.varint() << width;
  }
}

/** What the list adds to one value. */
export function exceptionAt(reader: ByteReader, width: number, at: number): number {
  for (let left = reader.byte(); left > 0; left--) {
    const place = reader.byte();
    const above = reader.varint();
    if (place === at) return above << width;
  }
  return 0;
}

/** Passes over the list. */
export function skipExceptions(reader: ByteReader): void {
  for (let left = reader.byte(); left > 0; left--) {
    reader.at++;
    reader.varint();
  }
}
