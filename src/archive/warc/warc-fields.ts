/** The named fields of a WARC record, in order. Names compare without regard to case. */
export class WarcFields {
  readonly pairs: readonly (readonly [name: string, value: string])[];

  constructor(pairs: readonly (readonly [string, string])[]) {
    this.pairs = pairs;
  }

  get(name: string): string | undefined {
    const wanted = name.toLowerCase();
    return this.pairs.find(([key]) => key.toLowerCase() === wanted)?.[1];
  }
}

/** A field on one line: whatever would end the line early becomes a space. */
export function fieldLine(name: string, value: string | number): string {
  const text = String(value);
  return `${name}: ${/[\r\n\0]/.test(text) ? text.replace(/[\r\n\0]+/g, ' ') : text}\r\n`;
}

/** Lines of `name: value`, a line that begins with white space continuing the one before. */
export function parseFields(text: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      const last = pairs.at(-1);
      const more = trimmed(line);
      // Joined without a look at what is there: that would copy it for every line.
      if (last !== undefined && more !== '') last[1] = last[1] === '' ? more : `${last[1]} ${more}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon > 0) pairs.push([trimmed(line.slice(0, colon)), trimmed(line.slice(colon + 1))]);
  }
  return pairs;
}

/** Where a head ends (just after its empty line), or -1 when the empty line has not come yet. */
export function headEnd(bytes: Buffer): number {
  const crlf = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  // Some writers end lines with a bare line feed.
  const lf = bytes.subarray(0, crlf === -1 ? bytes.length : crlf).indexOf('\n\n', 0, 'latin1');
  if (lf !== -1) return lf + 2;
  return crlf === -1 ? -1 : crlf + 4;
}

/** Without blanks at the ends. Not `trim`, which takes more than blanks: 0xA0 can be a byte of a value. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}
