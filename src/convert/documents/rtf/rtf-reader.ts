/** What a reader of RTF is told, in the order of the file. */
export interface RtfHandler {
  open(): void;
  close(): void;
  /** A control word without its backslash; `value` undefined where it has no number. */
  word(name: string, value: number | undefined): void;
  /** A control symbol such as `~`, `-`, `_` or `*`. */
  symbol(code: number): void;
  /** A byte of text, written as itself or as \'hh. */
  byte(value: number): void;
  /** False ends the reading. */
  continues(): boolean;
}

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x27;
const MAX_WORD = 32;

/** Takes RTF apart into groups, control words and text. Time: one pass; memory: none. */
export function readRtf(bytes: Uint8Array, handler: RtfHandler): void {
  let at = 0;
  while (at < bytes.length && handler.continues()) {
    const byte = bytes[at];
    if (byte === OPEN) handler.open();
    else if (byte === CLOSE) handler.close();
    else if (byte === BACKSLASH) {
      at = readControl(bytes, at + 1, handler);
      continue;
    } else if (byte !== 0x0a && byte !== 0x0d && byte !== 0) handler.byte(byte);
    at++;
  }
}

/** From behind a backslash to behind what it introduces. */
function readControl(bytes: Uint8Array, start: number, handler: RtfHandler): number {
  const first = bytes[start];
  if (first === undefined) return start;
  if (first === QUOTE) {
    const high = hexDigit(bytes[start + 1]);
    const low = hexDigit(bytes[start + 2]);
    if (high === -1 || low === -1) return start + 1;
    handler.byte(high * 16 + low);
    return start + 3;
  }
  if (!isLetter(first)) {
    // A line break behind a backslash is a paragraph.
    if (first === 0x0a || first === 0x0d) handler.word('par', undefined);
    else handler.symbol(first);
    return start + 1;
  }
  let at = start + 1;
  while (at < bytes.length && at - start < MAX_WORD && isLetter(bytes[at])) at++;
  let name = '';
  for (let i = start; i < at; i++) name += String.fromCharCode(bytes[i]);
  const sign = bytes[at] === 0x2d && isDigit(bytes[at + 1]) ? -1 : 1;
  if (sign === -1) at++;
  let value: number | undefined;
  for (let digits = 0; digits < 10 && isDigit(bytes[at]); digits++, at++) value = (value ?? 0) * 10 + bytes[at] - 0x30;
  if (value !== undefined) value *= sign;
  if (bytes[at] === 0x20) at++;
  handler.word(name, value);
  // Raw bytes follow: they may hold braces.
  return name === 'bin' && value !== undefined && value > 0 ? at + value : at;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (isDigit(byte)) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
