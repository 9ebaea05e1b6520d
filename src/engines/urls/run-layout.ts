import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { damagedUrls } from './damaged-urls.ts';

/*
 * A run is a file of sorted keys:
 *
 *   "OWURLRUN"  dictionary  block block … block  index  foot
 *
 * A block is  crc32 (4)  form (1)  length before compression (4)  bytes;  the crc counts what follows it.
 * The index is a block as well: the checkpoints, of each block what its keys begin at, its length in the file and its number of keys.
 */

export const MAGIC = Buffer.from('OWURLRUN', 'latin1');
export const VERSION = 1;
export const BLOCK_HEAD = 9;
export const FOOT_BYTES = 64;

const PLAIN = 0;
const ZSTD = 1;

/** Where the parts of a run lie, and what it holds. */
export interface RunFoot {
  readonly dictionaryLength: number;
  readonly dictionaryCrc: number;
  readonly indexStart: number;
  readonly indexLength: number;
  readonly urls: number;
  readonly blocks: number;
  /** Of its URLs as lines of text. */
  readonly textBytes: number;
}

export function packBlock(raw: Uint8Array, level: number, dictionary: Uint8Array): Buffer {
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_contentSizeFlag]: 0 };
  const packed = zstdCompressSync(raw, { params, ...(dictionary.length > 0 && { dictionary }) });
  const isSmaller = packed.length < raw.length;
  const block = Buffer.concat([Buffer.alloc(BLOCK_HEAD), isSmaller ? packed : raw]);
  block[4] = isSmaller ? ZSTD : PLAIN;
  block.writeUInt32LE(raw.length, 5);
  block.writeUInt32LE(crc32(block.subarray(4)), 0);
  return block;
}

/** The bytes of a block as they were before; throws (`URLS_DAMAGED`) where they are not what was written. */
export function unpackBlock(block: Buffer, dictionary: Uint8Array, path: string, what: string): Buffer {
  if (block.length < BLOCK_HEAD || crc32(block.subarray(4)) !== block.readUInt32LE(0)) {
    throw damagedUrls(path, `${what} has another checksum than when it was written`);
  }
  const body = block.subarray(BLOCK_HEAD);
  if (block[4] === PLAIN) return body;
  const length = block.readUInt32LE(5);
  try {
    const chunkSize = Math.max(64, length + 1);
    return zstdDecompressSync(body, {
      ...{ chunkSize, maxOutputLength: chunkSize },
      ...(dictionary.length > 0 && { dictionary }),
    });
  } catch (cause) {
    throw damagedUrls(path, `${what} cannot be decompressed`, cause);
  }
}

export function packFoot(foot: RunFoot): Buffer {
  const bytes = Buffer.alloc(FOOT_BYTES);
  bytes.writeUInt32LE(VERSION, 0);
  bytes.writeUInt32LE(foot.dictionaryLength, 4);
  bytes.writeUInt32LE(foot.dictionaryCrc, 8);
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
    dictionaryLength: bytes.readUInt32LE(4),
    dictionaryCrc: bytes.readUInt32LE(8),
    indexStart: Number(bytes.readBigUInt64LE(12)),
    indexLength: bytes.readUInt32LE(20),
    urls: Number(bytes.readBigUInt64LE(24)),
    blocks: bytes.readUInt32LE(32),
    textBytes: Number(bytes.readBigUInt64LE(36)),
  };
}
