/** Ends of lines for some readers, which JSON may hold as they are. */
const LINE_ENDS = /[\x85\u2028\u2029]/g;

/** A value as a line of JSON: one line for every reader, and the same value. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value).replace(
    LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${json}\n`;
}
