import type { ColumnValue } from './array-literal.ts';

/** What a session of SQLite has recorded of one row. */
export interface RowChange {
  readonly table: string;
  /** An update says its key and what has changed: the row itself has to be read. */
  readonly kind: 'insert' | 'update' | 'delete';
  /** By column; undefined where it is not told. Of a deletion the key alone is. */
  readonly values: readonly (ColumnValue | undefined)[];
}

const TABLE_HEADER = 0x50; // 'P'
const KINDS: Readonly<Record<number, RowChange['kind']>> = { 9: 'delete', 18: 'insert', 23: 'update' };

/** Reads the patchset format of the SQLite session extension (sqlite.org/session/changegroup.html). */
export function* readPatchset(patchset: Uint8Array): Generator<RowChange> {
  const bytes = Buffer.from(patchset.buffer, patchset.byteOffset, patchset.length);
  let at = 0;
  let table = '';
  let key: readonly boolean[] = [];

  const varint = (): number => {
    let value = 0;
    for (;;) {
      const byte = bytes[at++];
      value = value * 128 + (byte & 0x7f);
      if (byte < 128) return value;
    }
  };
  const slice = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const value = (): ColumnValue | undefined => {
    const type = bytes[at++];
    if (type === 1) return narrow(slice(8).readBigInt64BE());
    if (type === 2) return slice(8).readDoubleBE();
    if (type === 3) return slice(varint()).toString('utf8');
    // A copy: the patchset may be large, and one value of it is kept longer.
    if (type === 4) return new Uint8Array(slice(varint()));
    return type === 5 ? null : undefined;
  };

  while (at < bytes.length) {
    const tag = bytes[at++];
    if (tag === TABLE_HEADER) {
      key = [...slice(varint())].map((place) => place > 0);
      const end = bytes.indexOf(0, at);
      table = slice(end - at).toString('utf8');
      at++;
      continue;
    }
    at++; // whether a trigger did it
    const kind = KINDS[tag];
    yield { table, kind, values: key.map((isKey) => (kind === 'delete' && !isKey ? undefined : value())) };
  }
}

function narrow(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
