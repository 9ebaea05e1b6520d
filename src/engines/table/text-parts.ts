const NEWLINE = 0x0a;

/**
 * The texts of some rows: where each begins and the last ends, then all of them, a line each, with a line break before the first and
 * after the last. So one search for bytes goes through many rows, and a line that is equal, or begins alike, is found the same way.
 */
export function packTexts(texts: readonly string[]): Buffer {
  const joined = `\n${texts.join('\n')}\n`;
  const head = headOf(texts.length);
  const data = Buffer.alloc(head + Buffer.byteLength(joined));
  data.write(joined, head);
  data.writeUInt32LE(texts.length, 0);
  for (let at = head, line = 0; line <= texts.length; line++) {
    data.writeUInt32LE(at + 1, 4 * line + 4);
    at = data.indexOf(NEWLINE, at + 1);
  }
  return data;
}

/** The number of lines, and where each begins, with one after the last. */
function headOf(lines: number): number {
  return 4 * (lines + 2);
}

/** One row's text out of a part. */
export function textAt(part: Uint8Array, line: number): string {
  const data = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  return data.toString('utf8', data.readUInt32LE(4 * line + 4), data.readUInt32LE(4 * line + 8) - 1);
}

/** Without regard to case; never with more or fewer lines. */
export function foldedText(text: string): string {
  return text.toLowerCase();
}

/** What a text is sorted by. Those of the first column differ, also by case alone: they decide between rows that are equal else. */
export function sortedText(text: string, column: number): string {
  return column === 0 ? text : foldedText(text);
}

/** One line, and nothing that UTF-8 cannot hold. */
export function keptText(text: string): string {
  return text.replace(/[\n\r\u2028\u2029]+/g, ' ').toWellFormed();
}

/** What a line has to hold, be, or begin with. */
export function needleOf(is: 'containing' | 'equal' | 'beginning', text: string): Buffer {
  const line = foldedText(keptText(text));
  return Buffer.from(`${is === 'containing' ? '' : '\n'}${line}${is === 'equal' ? '\n' : ''}`);
}

/** Tells each line of a block in which the needle occurs, once. */
export function eachLineWith(block: Uint8Array, needle: Buffer, tell: (line: number) => void): void {
  const text = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const lines = text.readUInt32LE(0);
  const starts = new Uint32Array(lines + 1);
  for (let line = 0; line <= lines; line++) starts[line] = text.readUInt32LE(4 * line + 4);
  // Of a needle that begins with the break before its line, the line comes after it.
  const into = needle[0] === NEWLINE ? 1 : 0;
  for (let at = text.indexOf(needle, headOf(lines)), line = 0; at !== -1; ) {
    while (starts[line + 1] <= at + into) line++;
    tell(line);
    at = text.indexOf(needle, starts[line + 1] - 1);
  }
}
