/** A value of a column, as SQLite and PostgreSQL both can hold it. */
export type ColumnValue = number | bigint | string | Uint8Array | null;

/** PostgreSQL keeps no NUL within a text. */
const NUL = '\0';

/** Values of one column as PostgreSQL reads an array. Written here, for it is half the work of a client that does not know the types. */
export function arrayLiteral(values: readonly ColumnValue[]): string {
  return `{${values.map(element).join(',')}}`;
}

function element(value: ColumnValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'object')
    return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}"`;
  return String(value);
}

function quoted(text: string): string {
  const clean = text.includes(NUL) ? text.replaceAll(NUL, '\ufffd') : text;
  return `"${/["\\]/.test(clean) ? clean.replace(/["\\]/g, '\\$&') : clean}"`;
}
