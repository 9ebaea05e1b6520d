/**
 * A cell of a CSV file (RFC 4180). A spreadsheet would run what begins like a formula, and titles are words of strangers: an
 * apostrophe makes it text. Some take the sign after blanks, or in its wide form, for one as well.
 */
export function csvCell(value: string | number | undefined): string {
  if (value === undefined || typeof value === 'number') return String(value ?? '');
  const text = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n\0]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n\0']/.test(text) ? `"${text.replaceAll('"', '""').replaceAll('\0', '\ufffd')}"` : text;
}
