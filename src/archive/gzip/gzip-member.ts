import { promisify } from 'node:util';
import { constants, crc32, deflateRawSync, gzip, gzipSync } from 'node:zlib';

const gzipInBackground = promisify(gzip);

/** A stored deflate block says its length in 16 bits. */
const STORED_MAX = 0xffff;

/** Magic, deflate, no flags, no time, no hint, operating system unknown. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** One gzip member that holds the parts. */
export function gzipMember(parts: readonly Uint8Array[], level: number): Buffer {
  const bytes = contiguous(parts);
  return gzipSync(bytes, { level, chunkSize: outputChunk(bytes.length) });
}

/** The same off the event loop, for what would hold it up. */
export function gzipMemberInBackground(parts: readonly Uint8Array[], level: number): Promise<Buffer> {
  return gzipInBackground(contiguous(parts), { level, chunkSize: 256 * 1024 });
}

/**
 * One gzip member whose head is compressed and whose body is stored as it is: for bodies that are compressed already,
 * where another pass costs time and gains nothing. The body is not copied; it appears among the parts.
 */
export function storedMember(head: Uint8Array, body: Uint8Array, tail: Uint8Array, level: number): Uint8Array[] {
  // A sync flush ends the compressed part on a byte boundary without ending the stream: stored blocks may follow.
  const packedHead = deflateRawSync(head, {
    level,
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: outputChunk(head.length),
  });
  const parts: Uint8Array[] = [GZIP_HEADER, packedHead];
  for (let at = 0; at < body.length; at += STORED_MAX) {
    const block = body.length <= STORED_MAX ? body : body.subarray(at, at + STORED_MAX);
    parts.push(storedBlockHeader(block.length, false), block);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(tail, crc32(body, crc32(head))), 0);
  end.writeUInt32LE((head.length + body.length + tail.length) % 2 ** 32, 4);
  parts.push(storedBlockHeader(tail.length, true), tail, end);
  return parts;
}

function storedBlockHeader(length: number, last: boolean): Buffer {
  const header = Buffer.alloc(5);
  header[0] = last ? 1 : 0;
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(~length & 0xffff, 3);
  return header;
}

/** Room for the output that is allocated at once: for small records a large one would cost more than the compression. */
function outputChunk(inputLength: number): number {
  return inputLength < 4096 ? 2048 : inputLength < 65_536 ? 16_384 : 65_536;
}

function contiguous(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}
