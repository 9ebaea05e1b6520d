import type { ArchiveBytes } from '../shipping/archive-bytes.ts';

/** A file within a ZIP file. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored; 8: deflate. */
  readonly method: number;
  /** Of its bytes as they lie in the file. */
  readonly start: number;
  readonly length: number;
  /** As the directory says. */
  readonly unpacked: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_PLACE = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MOST_COMMENT = 65_535;
/** A directory of more than a million files belongs to no collection. */
const MAX_DIRECTORY = 256 * 1024 * 1024;
const ENCRYPTED = 1;
const FULL_32 = 0xffffffff;

export function isZip(start: Buffer): boolean {
  return start.length >= 4 && (start.readUInt32LE(0) === LOCAL || start.readUInt32LE(0) === END);
}

/** The files of a ZIP file, by its directory alone; a text where there is none that can be read. Memory: the directory. */
export async function zipDirectory(source: Pick<ArchiveBytes, 'read' | 'size'>): Promise<readonly ZipEntry[] | string> {
  const place = await directoryPlace(source);
  if (place === undefined) return 'the ZIP file has no directory at its end: it is cut, or still being written';
  if (place.length > MAX_DIRECTORY) return 'the directory of the ZIP file is too large';
  const directory = await source.read(place.start, place.length);
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY; ) {
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const next = at + 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
    if (next > directory.length) return 'the directory of the ZIP file is damaged';
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    if ((directory.readUInt16LE(at + 8) & ENCRYPTED) !== 0) return `${name} is encrypted`;
    const sizes = sizesOf(directory, at, directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength));
    const start = await contentStart(source, sizes.place);
    if (start === undefined) return `${name} does not lie where the directory of the ZIP file says`;
    entries.push({
      ...{ name, method: directory.readUInt16LE(at + 10), start },
      // A directory may lie; behind the end of the file is nothing.
      ...{ length: Math.max(0, Math.min(sizes.packed, source.size() - start)), unpacked: sizes.unpacked },
    });
    at = next;
  }
  return overlap(entries) ?? entries;
}

/** Files of an honest ZIP file lie one behind the other. Where they share bytes, a small file unpacks to any size. */
function overlap(entries: readonly ZipEntry[]): string | undefined {
  let end = 0;
  for (const { name, start, length } of entries.toSorted((a, b) => a.start - b.start)) {
    if (start < end) return `${name} lies within another file of the ZIP file`;
    end = Math.max(end, start + length);
  }
  return undefined;
}

async function directoryPlace(
  source: Pick<ArchiveBytes, 'read' | 'size'>,
): Promise<{ readonly start: number; readonly length: number } | undefined> {
  const size = source.size();
  const tailStart = Math.max(0, size - END_BYTES - MOST_COMMENT);
  const tail = await source.read(tailStart, size - tailStart);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue;
    const [length, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    if (length !== FULL_32 && start !== FULL_32) return { start, length };
    const before = await source.read(tailStart + at - 20, 20);
    if (before.length < 20 || before.readUInt32LE(0) !== END_64_PLACE) return undefined;
    const end = await source.read(Number(before.readBigUInt64LE(8)), 56);
    if (end.length < 56 || end.readUInt32LE(0) !== END_64) return undefined;
    return { start: Number(end.readBigUInt64LE(48)), length: Number(end.readBigUInt64LE(40)) };
  }
  return undefined;
}

/** Sizes of 4 GB and more stand in an extra field, in this order, each only where it does not fit its place. */
function sizesOf(
  directory: Buffer,
  at: number,
  extra: Buffer,
): { readonly packed: number; readonly unpacked: number; readonly place: number } {
  const told = [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)];
  for (let from = 0; from + 4 <= extra.length; from += 4 + extra.readUInt16LE(from + 2)) {
    if (extra.readUInt16LE(from) !== 1) continue;
    let field = from + 4;
    for (const [which, size] of told.entries()) {
      if (size !== FULL_32 || field + 8 > extra.length) continue;
      told[which] = Number(extra.readBigUInt64LE(field));
      field += 8;
    }
    break;
  }
  const [unpacked, packed, place] = told;
  return { packed, unpacked, place };
}

/** Behind the head that every file has of its own, whose length the directory does not tell. */
async function contentStart(source: Pick<ArchiveBytes, 'read'>, place: number): Promise<number | undefined> {
  const head = await source.read(place, 30);
  if (head.length < 30 || head.readUInt32LE(0) !== LOCAL) return undefined;
  return place + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
}
