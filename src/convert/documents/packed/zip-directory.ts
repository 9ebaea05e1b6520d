/** One entry of a zip archive, as its directory has it. Offsets count from the start of the bytes. */
export interface ZipEntry {
  /** Slashes forward, none at the start. */
  readonly name: string;
  /** 0 is stored, 8 deflated; nothing else is read. */
  readonly method: number;
  readonly encrypted: boolean;
  /** Where the compressed bytes start and how many there are at most. */
  readonly start: number;
  readonly packed: number;
  /** What the archive says it unpacks to; 0 where it does not say. */
  readonly unpacked: number;
  /** Its bytes are those of another entry as well: a bomb by few bytes that count many times. */
  readonly overlaps?: true;
}

/** Documents have some hundreds; what comes after these is not looked at. */
const MAX_ENTRIES = 20_000;
const LOCAL = Buffer.from('PK\x03\x04', 'latin1');
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
const ABSENT = 0xffffffff;

/** The entries of a zip archive by its central directory, else by the headers before each. Empty where it is none. */
export function readZipDirectory(bytes: Uint8Array): ZipEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const central = readCentralDirectory(buffer);
  return central.length > 0 ? withOverlaps(central) : scanLocalHeaders(buffer);
}

/** An entry with the place of its own header, which is part of it. */
type PlacedEntry = ZipEntry & { readonly local: number };

/** Entries lie one behind the other. Those that lie in one another are marked; one that is merely listed twice is not. */
function withOverlaps(entries: readonly PlacedEntry[]): ZipEntry[] {
  const overlapping = new Set<ZipEntry>();
  let furthest: PlacedEntry | undefined;
  for (const entry of entries.toSorted((a, b) => a.local - b.local)) {
    if (furthest !== undefined && entry.local < endOf(furthest)) {
      const isListedTwice = entry.local === furthest.local && entry.name === furthest.name;
      if (!isListedTwice) overlapping.add(furthest).add(entry);
    }
    if (furthest === undefined || endOf(entry) > endOf(furthest)) furthest = entry;
  }
  return entries.map(({ local: _, ...entry }, at) =>
    overlapping.has(entries[at]) ? { ...entry, overlaps: true } : entry,
  );
}

function endOf({ start, packed }: ZipEntry): number {
  return start + packed;
}

function readCentralDirectory(buffer: Buffer): PlacedEntry[] {
  const entries: PlacedEntry[] = [];
  const end = endRecord(buffer);
  if (end === undefined) return entries;
  const size = buffer.readUInt32LE(end + 12);
  const offset = buffer.readUInt32LE(end + 16);
  // Bytes before the archive shift all offsets.
  const shift = Math.max(0, end - size - offset);
  let at = isCentral(buffer, offset + shift) ? offset + shift : isCentral(buffer, end - size) ? end - size : -1;
  while (at >= 0 && entries.length < MAX_ENTRIES && isCentral(buffer, at)) {
    const nameLength = buffer.readUInt16LE(at + 28);
    const extraLength = buffer.readUInt16LE(at + 30);
    const next = at + CENTRAL_SIZE + nameLength + extraLength + buffer.readUInt16LE(at + 32);
    const extra = buffer.subarray(at + CENTRAL_SIZE + nameLength, at + CENTRAL_SIZE + nameLength + extraLength);
    const [unpacked, packed, header] = longSizes(extra, [
      buffer.readUInt32LE(at + 24),
      buffer.readUInt32LE(at + 20),
      buffer.readUInt32LE(at + 42),
    ]);
    const local = header + shift;
    if (local + LOCAL_SIZE <= buffer.length && buffer.compare(LOCAL, 0, 4, local, local + 4) === 0) {
      const start = local + LOCAL_SIZE + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28);
      entries.push({
        name: nameOf(buffer, at + CENTRAL_SIZE, nameLength),
        method: buffer.readUInt16LE(at + 10),
        encrypted: (buffer.readUInt16LE(at + 8) & 1) === 1,
        start,
        packed: Math.max(0, Math.min(packed, buffer.length - start)),
        unpacked,
        local,
      });
    }
    at = next;
  }
  return entries;
}

/** Position of the record at the end; a comment of up to 64 KiB may follow it. */
function endRecord(buffer: Buffer): number | undefined {
  const least = Math.max(0, buffer.length - END_SIZE - 0xffff);
  for (let at = buffer.length - END_SIZE; at >= least; at--)
    if (buffer[at] === 0x50 && buffer.readUInt32LE(at) === END) return at;
  return undefined;
}

function isCentral(buffer: Buffer, at: number): boolean {
  return at >= 0 && at + CENTRAL_SIZE <= buffer.length && buffer.readUInt32LE(at) === CENTRAL;
}

/** Sizes that do not fit into 32 bits stand in an extra field, in this order, only those that do not fit. */
function longSizes(extra: Buffer, sizes: [number, number, number]): [number, number, number] {
  if (!sizes.includes(ABSENT)) return sizes;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let value = at + 4;
    for (const [index, size] of sizes.entries()) {
      if (size !== ABSENT || value + 8 > extra.length) continue;
      sizes[index] = Number(extra.readBigUInt64LE(value));
      value += 8;
    }
    break;
  }
  return sizes;
}

function scanLocalHeaders(buffer: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = buffer.indexOf(LOCAL);
  while (at >= 0 && at + LOCAL_SIZE <= buffer.length && entries.length < MAX_ENTRIES) {
    const flags = buffer.readUInt16LE(at + 6);
    const packed = buffer.readUInt32LE(at + 18);
    const nameLength = buffer.readUInt16LE(at + 26);
    const start = at + LOCAL_SIZE + nameLength + buffer.readUInt16LE(at + 28);
    const known = (flags & 8) === 0 && packed !== ABSENT;
    const next = buffer.indexOf(LOCAL, known && start + packed <= buffer.length ? start + packed : start);
    const end = known ? Math.min(start + packed, buffer.length) : next < 0 ? buffer.length : next;
    entries.push({
      name: nameOf(buffer, at + LOCAL_SIZE, nameLength),
      method: buffer.readUInt16LE(at + 8),
      encrypted: (flags & 1) === 1,
      start,
      packed: Math.max(0, end - start),
      unpacked: known ? buffer.readUInt32LE(at + 22) : 0,
    });
    at = next;
  }
  return entries;
}

function nameOf(buffer: Buffer, start: number, length: number): string {
  return buffer
    .toString('utf8', start, start + length)
    .replaceAll('\\', '/')
    .replace(/^\/+/, '');
}
