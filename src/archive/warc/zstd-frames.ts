import { Readable } from 'node:stream';
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import type { FileBytes } from '../file-bytes.ts';

const FRAME = 0xfd2fb528;
/** Frames of these numbers hold what is no content; that of a dictionary comes first in a WARC. */
const SKIPPABLE = 0x184d2a50;
const DICTIONARY = 0x184d2a5d;
const MAX_DICTIONARY = 16 * 1024 * 1024;
const PIECE = 256 * 1024;

export function isZstd(start: Buffer): boolean {
  return start.length >= 4 && (start.readUInt32LE(0) === FRAME || isSkippable(start.readUInt32LE(0)));
}

/**
 * The contents of all frames of a file, one after the other: a frame for each record, or one for all, with or without a dictionary at
 * the beginning. Ends with why it could not go on, where it could not.
 */
export async function* unpackZstd(file: FileBytes, from: number): AsyncGenerator<Buffer, string | undefined> {
  let dictionary: Buffer | undefined;
  for (let at = from; ; ) {
    const start = await file.read(at, 8);
    if (start.length === 0) return undefined;
    if (start.length < 8) return 'the end of the Zstandard data is cut off';
    const magic = start.readUInt32LE(0);
    if (isSkippable(magic)) {
      const length = start.readUInt32LE(4);
      if (magic === DICTIONARY && length <= MAX_DICTIONARY && at === from) {
        dictionary = dictionaryOf(await file.read(at + 8, length));
        if (dictionary === undefined) return 'the Zstandard dictionary is damaged';
      }
      at += 8 + length;
      continue;
    }
    const length = magic === FRAME ? await frameLength(file, at) : undefined;
    if (length === undefined) return 'the Zstandard data is damaged or cut';
    const why = yield* unpackFrame(file, at, length, dictionary);
    if (why !== undefined) return why;
    at += length;
  }
}

async function* unpackFrame(
  file: FileBytes,
  at: number,
  length: number,
  dictionary: Buffer | undefined,
): AsyncGenerator<Buffer, string | undefined> {
  const source = Readable.from(piecesOf(file, at, length), { objectMode: true, highWaterMark: 1 });
  const unpacking = createZstdDecompress({ chunkSize: PIECE, ...(dictionary && { dictionary }) });
  source.on('error', (error) => unpacking.destroy(error));
  source.pipe(unpacking);
  try {
    for await (const piece of unpacking) yield piece as Buffer;
    return undefined;
  } catch (error) {
    return `the Zstandard data is damaged (${(error as Error).message})`;
  } finally {
    source.destroy();
  }
}

async function* piecesOf(file: FileBytes, at: number, length: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < length; done += PIECE) yield await file.read(at + done, Math.min(PIECE, length - done));
}

/** Found by the lengths of its blocks; undefined where the file ends before it. */
async function frameLength(file: FileBytes, at: number): Promise<number | undefined> {
  const descriptor = (await file.read(at + 4, 1))[0];
  const isSingle = (descriptor & 0x20) !== 0;
  const idBytes = [0, 1, 2, 4][descriptor & 3];
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6];
  let length = 5 + (isSingle ? 0 : 1) + idBytes + sizeBytes;
  for (let isLast = false; !isLast; ) {
    const head = await file.read(at + length, 3);
    if (head.length < 3) return undefined;
    const block = head.readUIntLE(0, 3);
    isLast = (block & 1) === 1;
    const isRepeated = ((block >> 1) & 3) === 1;
    length += 3 + (isRepeated ? 1 : block >> 3);
  }
  if ((descriptor & 4) !== 0) length += 4;
  const last = await file.read(at + length - 1, 1);
  return last.length === 1 ? length : undefined;
}

/** It may be compressed itself. */
function dictionaryOf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== FRAME) return bytes;
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: MAX_DICTIONARY });
  } catch {
    return undefined;
  }
}

function isSkippable(magic: number): boolean {
  return (magic & 0xfffffff0) >>> 0 === SKIPPABLE;
}
