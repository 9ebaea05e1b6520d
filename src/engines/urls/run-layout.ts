import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { damagedUrls } from './damaged-urls.ts';

/*
 * A run is a file of sorted keys:
 *
 *   "OWURLRUN"  symbols  block block … block  index  foot
 *
 * A block is a checksum of 4 bytes and keys in codes of the symbols (key-block.ts). The index is a block whose bytes are compressed: the checkpoints, of
 * each block what its keys begin at, its length in the file and its number of keys.
 */

export const MAGIC = Buffer.from('OWURLRUN', 'latin1');
export const VERSION = 1;
const BLOCK_HEAD = 4;
export const FOOT_BYTES = 64;

/** Where the parts of a run lie, and what it holds. */
export interface RunFoot {
  readonly symbolsLength: number;
  readonly symbolsCrc: number;
  readonly indexStart: number;
  readonly indexLength: number;
  readonly urls: number;
  readonly blocks: number;
  /** Of its URLs as lines of text. */
  readonly textBytes: number;
}

/** Bytes with their checksum before them. */
export function packBlock(raw: Uint8Array): Buffer {
  const block = Buffer.concat([Buffer.alloc(BLOCK_HEAD), raw]);
  block.writeUInt32LE(crc32(raw), 0);
  return block;
}

/** The bytes of a block; throws (`URLS_DAMAGED`) where they are not what was written. */
export function unpackBlock(block: Buffer, path: string, what: string): Buffer {
  const raw = block.subarray(BLOCK_HEAD);
  if (block.length >= BLOCK_HEAD && crc32(raw) === block.readUInt32LE(0)) return raw;
  throw damagedUrls(path, `${what} has another checksum than when it was written`);
}

export function packIndex(raw: Uint8Array): Buffer {
  return packBlock(zstdCompressSync(raw));
}

export function unpackIndex(block: Buffer, path: string): Buffer {
  const packed = unpackBlock(block, path, 'its list of checkpoints');
  try {
    return zstdDecompressSync(packed);
  } catch (cause) {
    throw damagedUrls(path, 'its list of checkpoints cannot be decompressed', cause);
  }
}

export function packFoot(foot: RunFoot): Buffer {
  const bytes = Buffer.alloc(FOOT_BYTES);
  bytes.writeUInt32LE(VERSION, 0);
  bytes.writeUInt32LE(foot.symbolsLength, 4);
  bytes.writeUInt32LE(foot.symbolsCrc, 8);
  bytes.writeBigUInt64LE(BigInt(foot.indexStart), 12);
  bytes.writeUInt32LE(foot.indexLength, 20);
  bytes.writeBigUInt64LE(BigInt(foot.urls), 24);
  bytes.writeUInt32LE(foot.blocks, 32);
  bytes.writeBigUInt64LE(BigInt(foot.textBytes), 36);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 52)), 52);
  MAGIC.copy(bytes, 56);
  return bytes;
}

/** Throws where the bytes are no foot, or that of a later version. */
export function unpackFoot(bytes: Buffer, path: string): RunFoot {
  if (bytes.length !== FOOT_BYTES || !bytes.subarray(56).equals(MAGIC)) throw damagedUrls(path, 'its end is missing');
  if (crc32(bytes.subarray(0, 52)) !== bytes.readUInt32LE(52)) {
    throw damagedUrls(path, 'its end has another checksum than when it was written');
  }
  const version = bytes.readUInt32LE(0);
  if (version !== VERSION) throw damagedUrls(path, `it is of version ${version}, which this Orbweaver does not read`);
  return {
    symbolsLength: bytes.readUInt32LE(4),
    symbolsCrc: bytes.readUInt32LE(8),
    indexStart: Number(bytes.readBigUInt64LE(12)),
    indexLength: bytes.readUInt32LE(20),
    urls: Number(bytes.readBigUInt64LE(24)),
    blocks: bytes.readUInt32LE(32),
    textBytes: Number(bytes.readBigUInt64LE(36)),
  };
}
