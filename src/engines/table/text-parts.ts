import { PART_ROWS } from './table-file.ts';

const NEWLINE = 0x0a;
const HEAD = 4 * (PART_ROWS + 1);

/**
 * The texts of some rows: where each begins, then all of them, a line each, with a line break before the first and after the last.
 * So one search for bytes goes through many rows, and a line that is equal, or begins alike, is found the same way.
 */
export function packTexts(texts: readonly string[]): { readonly data: Uint8Array; readonly folded: Uint8Array | null } {
  const joined = `\n${texts.join('\n')}\n`;
  const lower = foldedText(joined);
  return { data: pack(joined, texts.length), folded: lower === joined ? null : pack(lower, texts.length) };
}

function pack(joined: string, lines: number): Buffer {
  const data = Buffer.alloc(HEAD + Buffer.byteLength(joined));
  data.write(joined, HEAD);
  for (let at = HEAD, line = 0; line <= lines; line++) {
    data.writeUInt32LE(at + 1, 4 * line);
    at = data.indexOf(NEWLINE, at + 1);
  }
  return data;
}

/** One row's text out of a part. */
export function textAt(part: Uint8Array, line: number): string {
  const data = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  return data.toString('utf8', data.readUInt32LE(4 * line), data.readUInt32LE(4 * line + 4) - 1);
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

/** Tells each line of a part in which the needle occurs, once. */
export function eachLineWith(part: Uint8Array, needle: Buffer, tell: (line: number) => void): void {
  const text = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  // Of a needle that begins with the break before its line, the line comes after it.
  const into = needle[0] === NEWLINE ? 1 : 0;
  for (let at = text.indexOf(needle, HEAD), line = 0; at !== -1; ) {
    while (text.readUInt32LE(4 * line + 4) <= at + into) line++;
    tell(line);
    at = text.indexOf(needle, text.readUInt32LE(4 * line + 4) - 1);
  }
}
