/** A link in a sorted run, under its target: visit (4 bytes), host hash (4), flags (1), length (2), text. Little-endian. */
export const ENTRY_HEAD = 11;

export const NOFOLLOW = 1;
export const SAME_HOST = 2;
/** The page linked there on its visit before, too: nothing gained. */
export const AGAIN = 4;

export interface LinkEntry {
  readonly visit: number;
  readonly host: number;
  readonly flags: number;
  readonly text: string;
}

export function readEntry(bytes: Buffer, at: number): LinkEntry {
  const length = bytes[at + 9] | (bytes[at + 10] << 8);
  return {
    visit: entryVisit(bytes, at),
    host: entryHost(bytes, at),
    flags: bytes[at + 8],
    text: bytes.toString('utf8', at + ENTRY_HEAD, at + ENTRY_HEAD + length),
  };
}

/** Writes a link; there has to be room for three bytes a character. Returns where it ends. */
export function writeEntry(bytes: Buffer, at: number, { visit, host, flags, text }: LinkEntry): number {
  const length = text === '' ? 0 : bytes.write(text, at + ENTRY_HEAD, 'utf8');
  bytes.writeUInt32LE(visit, at);
  bytes.writeUInt32LE(host, at + 4);
  bytes[at + 8] = flags;
  bytes.writeUInt16LE(length, at + 9);
  return at + ENTRY_HEAD + length;
}

export function entryLength(bytes: Uint8Array, at: number): number {
  return ENTRY_HEAD + bytes[at + 9] + bytes[at + 10] * 256;
}

export function entryVisit(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

export function entryHost(bytes: Uint8Array, at: number): number {
  return entryVisit(bytes, at + 4);
}
