import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A document that came without a crawl. */
export interface ImportedDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Per document: where its packed bytes end, and how many bytes they unpack to. */
const ENTRY_BYTES = 8;
/** How zstd frames begin. Blocks of an older form are one frame; no block of the present form holds as many documents. */
const ZSTD_MAGIC = 0xfd2fb528;
/** The engine takes no less room for an answer. */
const LEAST_ROOM = 64;
/** Shorter documents stay as they are: to set up a decoder for one takes several times as long as to read it. */
const LEAST_PACKED = 8 * 1024;
/** How a document that stayed as it is begins; no zstd frame does. */
const OPEN_BRACE = 0x7b;

/** Compresses each document by itself, so that one is read without unpacking the others. */
export function packBlock(documents: readonly ImportedDocument[]): Uint8Array {
  const head = Buffer.alloc(4 + ENTRY_BYTES * documents.length);
  head.writeUInt32LE(documents.length, 0);
  let end = head.length;
  const packed = documents.map((document, slot) => {
    const plain = Buffer.from(JSON.stringify(document));
    const bytes = plain.length < LEAST_PACKED ? plain : zstdCompressSync(plain);
    end += bytes.length;
    head.writeUInt32LE(end, 4 + ENTRY_BYTES * slot);
    head.writeUInt32LE(plain.length, 8 + ENTRY_BYTES * slot);
    return bytes;
  });
  return Buffer.concat([head, ...packed], end);
}

/** One document of a block; undefined where the block has no such slot. */
export function unpackDocument(content: Uint8Array, slot: number): ImportedDocument | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const documents = view.getUint32(0, true);
  if (documents === ZSTD_MAGIC) return unpackBlock(content)[slot];
  if (slot >= documents) return undefined;
  const entry = 4 + ENTRY_BYTES * slot;
  const start = slot === 0 ? 4 + ENTRY_BYTES * documents : view.getUint32(entry - ENTRY_BYTES, true);
  const packed = Buffer.from(content.buffer, content.byteOffset + start, view.getUint32(entry, true) - start);
  if (packed[0] === OPEN_BRACE) return JSON.parse(packed.toString());
  // Room for all of it and a byte more, so that the engine does not look for a second part.
  const chunkSize = Math.max(LEAST_ROOM, view.getUint32(entry + 4, true) + 1);
  return JSON.parse(zstdDecompressSync(packed, { chunkSize }).toString());
}

/** All documents of a block, in their order. */
export function unpackBlock(content: Uint8Array): ImportedDocument[] {
  const documents = new DataView(content.buffer, content.byteOffset, content.byteLength).getUint32(0, true);
  if (documents === ZSTD_MAGIC) return JSON.parse(zstdDecompressSync(content).toString());
  return Array.from({ length: documents }, (_, slot) => unpackDocument(content, slot) as ImportedDocument);
}
