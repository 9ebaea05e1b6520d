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

/** Writes a link whose text is `text[start…end]`; there has to be room. Returns where it ends. */
export function writeEntry(
  bytes: Uint8Array,
  at: number,
  { visit, host, flags }: Omit<LinkEntry, 'text'>,
  text: Uint8Array,
  start: number,
  end: number,
): number {
  writeUint32(bytes, at, visit);
  writeUint32(bytes, at + 4, host);
  bytes[at + 8] = flags;
  bytes[at + 9] = end - start;
  bytes[at + 10] = (end - start) >>> 8;
  let to = at + ENTRY_HEAD;
  for (let from = start; from < end; from++) bytes[to++] = text[from];
  return to;
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
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
