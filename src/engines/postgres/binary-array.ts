import type { ColumnType } from './tables.ts';

/** A value of a column, as SQLite and PostgreSQL both can hold it. */
export type ColumnValue = number | bigint | string | Uint8Array | null;

/** What PostgreSQL calls the types of elements; the same in every database. */
const ELEMENT_TYPES: Readonly<Record<ColumnType, number>> = {
  integer: 23,
  bigint: 20,
  double: 701,
  text: 25,
  bytes: 17,
};
/** Of numbers. */
const ELEMENT_BYTES = { integer: 4, bigint: 8, double: 8 } as const;

/** One dimension, whether there are nulls, the type, how many, and the first subscript. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
/** Of UTF-8, for a unit of UTF-16. */
const MOST_BYTES = 3;

/** PostgreSQL keeps no NUL within a text. */
const NUL = '\0';

/** Values of one column as PostgreSQL reads an array in its binary format: as text each element would be quoted here and parsed there. */
export function binaryArray(type: ColumnType, values: readonly ColumnValue[]): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + roomFor(type, values));
  array.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(ELEMENT_TYPES[type], 8);
  // An empty one has no dimension.
  if (values.length === 0) return array.subarray(0, 12);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const value of values) {
    const length = value === null ? NULL_LENGTH : writeElement(array, at + LENGTH_BYTES, type, value);
    array.writeInt32BE(length, at);
    at += LENGTH_BYTES + Math.max(0, length);
  }
  return array.subarray(0, at);
}

/** At least what they need. */
function roomFor(type: ColumnType, values: readonly ColumnValue[]): number {
  if (type !== 'text' && type !== 'bytes') return values.length * (LENGTH_BYTES + ELEMENT_BYTES[type]);
  let room = values.length * LENGTH_BYTES;
  for (const value of values)
    if (typeof value === 'string') room += value.length * MOST_BYTES;
    else if (value instanceof Uint8Array) room += value.length;
  return room;
}

/** Answers its length. */
function writeElement(
  array: Buffer,
  at: number,
  type: ColumnType,
  value: string | number | bigint | Uint8Array,
): number {
  if (type === 'bytes') {
    array.set(value as Uint8Array, at);
    return (value as Uint8Array).length;
  }
  if (type === 'text') return array.write(clean(value as string), at);
  if (type === 'integer') array.writeInt32BE(Number(value), at);
  else if (type === 'double') array.writeDoubleBE(Number(value), at);
  else array.writeBigInt64BE(BigInt(value as number | bigint), at);
  return ELEMENT_BYTES[type];
}

function clean(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, '\ufffd') : text;
}
