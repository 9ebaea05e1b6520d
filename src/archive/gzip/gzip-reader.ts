import { Readable } from 'node:stream';
import { constants, crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { FileBytes } from '../file-bytes.ts';

/** How a gzip member ended. */
export type MemberEnd =
  | { readonly kind: 'whole' /** Compressed bytes, header and trailer included. */; readonly length: number }
  | { readonly kind: 'damaged'; readonly why: string };

/** Members up to this size, compressed, are inflated at once: most are, and this is several times faster. */
const AT_ONCE = 1024 * 1024;
const AT_ONCE_OUTPUT = 32 * 1024 * 1024;
const FIRST_LOOK = 64 * 1024;
const PIECE = 256 * 1024;
const MAX_HEADER = 70 * 1024;
const TRAILER = 8;

const FLAG_CRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

export function isGzip(bytes: Buffer): boolean {
  return bytes.length >= 3 && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** The contents of the gzip member at the offset, piece by piece. Of a damaged one come the pieces before the damage. */
export async function* inflateMember(file: FileBytes, offset: number): AsyncGenerator<Buffer, MemberEnd> {
  const start = headerLength(await file.read(offset, MAX_HEADER));
  if (start === undefined) return { kind: 'damaged', why: 'the gzip header is damaged or cut' };
  const whole = await inflateAtOnce(file, offset, start);
  if (whole === undefined) return yield* inflateStreaming(file, offset, start);
  yield whole.bytes;
  return { kind: 'whole', length: whole.length };
}

/** What the first bytes of a member inflate to, as far as they go; empty when they are no gzip. */
export function peekMember(bytes: Buffer): Buffer {
  const start = headerLength(bytes);
  if (start === undefined) return Buffer.alloc(0);
  try {
    return inflateRawSync(bytes.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Undefined where the member is too large for this, or damaged: the streaming way then finds out what it is. */
async function inflateAtOnce(
  file: FileBytes,
  offset: number,
  start: number,
): Promise<{ readonly bytes: Buffer; readonly length: number } | undefined> {
  for (let size = FIRST_LOOK; size <= AT_ONCE; size *= 4) {
    const packed = await file.read(offset, size);
    try {
      const { buffer, engine } = inflateRawSync(packed.subarray(start), {
        info: true,
        chunkSize: 64 * 1024,
        maxOutputLength: AT_ONCE_OUTPUT,
      }) as unknown as { buffer: Buffer; engine: InflateRaw };
      const length = start + engine.bytesWritten + TRAILER;
      const trailer = await file.read(offset + length - TRAILER, TRAILER);
      return trailerFits(trailer, crc32(buffer), buffer.length) ? { bytes: buffer, length } : undefined;
    } catch {
      if (packed.length < size) return undefined;
    }
  }
  return undefined;
}

async function* inflateStreaming(file: FileBytes, offset: number, start: number): AsyncGenerator<Buffer, MemberEnd> {
  const inflate = createInflateRaw({ chunkSize: PIECE });
  const source = Readable.from(piecesFrom(file, offset + start), { objectMode: true, highWaterMark: 1 });
  source.on('error', (error) => inflate.destroy(error));
  source.pipe(inflate);
  let crc = 0;
  let contents = 0;
  try {
    for await (const piece of inflate) {
      crc = crc32(piece, crc);
      contents += piece.length;
      yield piece;
    }
  } catch (error) {
    return { kind: 'damaged', why: `the gzip data is damaged or cut (${(error as Error).message})` };
  } finally {
    source.destroy();
  }
  const length = start + inflate.bytesWritten + TRAILER;
  const trailer = await file.read(offset + length - TRAILER, TRAILER);
  if (trailer.length < TRAILER) return { kind: 'damaged', why: 'the end of the gzip member is cut off' };
  if (!trailerFits(trailer, crc, contents)) return { kind: 'damaged', why: 'the gzip checksum does not match' };
  return { kind: 'whole', length };
}

async function* piecesFrom(file: FileBytes, start: number): AsyncGenerator<Buffer> {
  for (let at = start; ; at += PIECE) {
    const piece = await file.read(at, PIECE);
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
  }
}

function trailerFits(trailer: Buffer, crc: number, length: number): boolean {
  return trailer.length === TRAILER && trailer.readUInt32LE(0) === crc && trailer.readUInt32LE(4) === length % 2 ** 32;
}

/** Undefined where the bytes do not begin with a complete gzip header. */
function headerLength(bytes: Buffer): number | undefined {
  if (!isGzip(bytes) || bytes.length < 10) return undefined;
  const flags = bytes[3];
  if (flags > 0x1f) return undefined;
  let at = 10;
  if (flags & FLAG_EXTRA) {
    if (bytes.length < at + 2) return undefined;
    at += 2 + bytes.readUInt16LE(at);
  }
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) return undefined;
    at = end + 1;
  }
  if (flags & FLAG_CRC) at += 2;
  return at <= bytes.length ? at : undefined;
}
