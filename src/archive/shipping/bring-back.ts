import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { ShippedFile, ShippedFiles } from '../../contracts/shipped-file.ts';
import { fileLength } from '../cdxj/cdxj-sort.ts';
import { findShipped, storeFailed } from './archive-bytes.ts';
import { ObjectStoreFailure } from './object-store.ts';
import { openObjectStore } from './open-object-store.ts';
import { ShippedMarkers } from './shipped-markers.ts';

/** Puts an archive file back into its folder that lies in a store alone. False where it was not shipped. */
export async function bringBack(path: string, elsewhere?: Pick<ShippedFiles, 'read'>): Promise<boolean> {
  if ((await fileLength(path)) !== undefined) return true;
  const shipped = await findShipped(path, elsewhere);
  if (shipped === undefined) return false;
  await asStoreError(shipped, () => download(shipped, path));
  return true;
}

/**
 * Removes an archive file from the store: its content is about to change. The folder must have it. `further` are others who know where it was
 * shipped to. Done twice, it changes nothing more.
 */
export async function unship(path: string, further?: ShippedFiles): Promise<void> {
  const file = basename(path);
  const markers = new ShippedMarkers(dirname(path));
  for (const known of [markers, ...(further === undefined ? [] : [further])]) {
    const shipped = await known.read(file);
    if (shipped === undefined) continue;
    await asStoreError(shipped, async () => {
      const store = await openObjectStore(shipped.store);
      await store.remove(shipped.index.key);
      await store.remove(shipped.key);
    });
    await known.remove(file);
  }
}

async function download({ store: address, key, bytes, sha256 }: ShippedFile, path: string): Promise<void> {
  const pieces = await (await openObjectStore(address)).stream(key);
  if (pieces === undefined) throw new ObjectStoreFailure(`it does not hold ${key} any more`);
  const other = new ObjectStoreFailure(`what it holds as ${key} is not what was shipped`);
  const hash = createHash('sha256');
  let left = bytes;
  const draft = `${path}.part`;
  try {
    await using file = await open(draft, 'w');
    for await (const piece of pieces) {
      left -= piece.length;
      if (left < 0) throw other;
      hash.update(piece);
      await file.appendFile(piece);
    }
    if (hash.digest('hex') !== sha256) throw other;
    await file.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rename(draft, path);
  // There after a power failure as well: the object may be removed next.
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}

async function asStoreError(shipped: ShippedFile, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof ObjectStoreFailure ? storeFailed(shipped.store, error.message) : error;
  }
}
