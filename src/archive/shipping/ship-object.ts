import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ShippedObject } from '../../contracts/shipped-file.ts';
import { type ObjectBody, type ObjectFacts, type ObjectStore, ObjectStoreFailure } from './object-store.ts';

const PIECE_BYTES = 1 << 20;

/** The first bytes of a file, with their hashes. `onPiece` is called with every piece that is read. */
export async function fileBody(path: string, bytes: number, onPiece: () => void = () => {}): Promise<ObjectBody> {
  const read = () => fileBytes(path, bytes, onPiece);
  return { bytes, ...(await hashesOf(read())), read };
}

export async function bufferBody(buffer: Uint8Array): Promise<ObjectBody> {
  const read = async function* () {
    yield buffer;
  };
  return { bytes: buffer.length, ...(await hashesOf(read())), read };
}

/**
 * Brings an object into the store and has the store confirm it. Whatever lies under the key already stays: where it is the same, that is
 * enough, and where it is another's, the key gets the hash of this one. Throws an `ObjectStoreFailure` where nothing was confirmed.
 */
export async function shipObject(
  store: ObjectStore,
  folder: string,
  name: string,
  body: ObjectBody,
): Promise<ShippedObject> {
  const { bytes, sha256 } = body;
  const plain = `${folder}${name}`;
  // Nothing else than this very content belongs under the second.
  for (const key of [plain, `${folder}${sha256.slice(0, 16)}/${name}`]) {
    const before = await store.head(key);
    if (before !== undefined && (await isSame(store, key, before, body))) return { key, bytes, sha256 };
    if (before !== undefined && key === plain) continue;
    if (!(await store.put(key, body, key === plain))) continue;
    const after = await store.head(key);
    if (after !== undefined && (await isSame(store, key, after, body))) return { key, bytes, sha256 };
    throw new ObjectStoreFailure(`what it holds as ${key} is not what was sent`);
  }
  throw new ObjectStoreFailure(`it holds something else as ${plain}`);
}

/** Whether the store still holds what it has confirmed before. */
export async function isStillThere(store: ObjectStore, { key, bytes, sha256 }: ShippedObject): Promise<boolean> {
  const facts = await store.head(key);
  return facts?.bytes === bytes && (facts.sha256 === undefined || facts.sha256 === sha256);
}

/** By what the store itself has reckoned; where it tells no checksum, by reading all of it again. */
async function isSame(store: ObjectStore, key: string, facts: ObjectFacts, body: ObjectBody): Promise<boolean> {
  if (facts.bytes !== body.bytes) return false;
  if (facts.sha256 !== undefined) return facts.sha256 === body.sha256;
  if (facts.etag === body.md5) return true;
  const stored = await store.stream(key);
  return stored !== undefined && (await hashesOf(stored)).sha256 === body.sha256;
}

async function hashesOf(pieces: AsyncIterable<Uint8Array>): Promise<{ sha256: string; md5: string }> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  for await (const piece of pieces) {
    sha256.update(piece);
    md5.update(piece);
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex') };
}

async function* fileBytes(path: string, bytes: number, onPiece: () => void): AsyncGenerator<Uint8Array> {
  await using handle = await open(path, 'r');
  for (let at = 0; at < bytes; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes - at));
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error(`${path} is shorter than it was`);
    onPiece();
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
