import { closeSync, fstatSync, openSync, read } from 'node:fs';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { OrbweaverError } from '../../base/errors.ts';
import type { ShippedFile, ShippedFiles, ShippedObject } from '../../contracts/shipped-file.ts';
import { type ObjectStore, ObjectStoreFailure } from './object-store.ts';
import { openObjectStore } from './open-object-store.ts';
import { ShippedMarkers } from './shipped-markers.ts';

/** The bytes of an archive file, wherever they lie. */
export interface ArchiveBytes {
  /** At this moment: a file may grow. */
  size(): number;
  /** The bytes from a place on; fewer at the end. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens an archive file: in its folder; else where its marker, or `elsewhere`, says that it was shipped to. Throws ENOENT where it is nowhere. */
export async function openArchiveBytes(path: string, elsewhere?: Pick<ShippedFiles, 'read'>): Promise<ArchiveBytes> {
  try {
    return await openLocalBytes(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const shipped = await findShipped(path, elsewhere);
    if (shipped === undefined) throw error;
    return await openShipped(shipped.store, shipped);
  }
}

/** A file that is nowhere else. */
export async function openLocalBytes(path: string): Promise<ArchiveBytes> {
  return new LocalBytes(openSync(path, 'r'));
}

/** Where an archive file was shipped to; undefined where that is not known. */
export async function findShipped(
  path: string,
  elsewhere?: Pick<ShippedFiles, 'read'>,
): Promise<ShippedFile | undefined> {
  return (await new ShippedMarkers(dirname(path)).read(basename(path))) ?? (await elsewhere?.read(basename(path)));
}

/** The bytes of an object in a store. */
export async function openShipped(address: string, object: ShippedObject): Promise<ArchiveBytes> {
  return new ShippedBytes(address, object, await openObjectStore(address));
}

/** There is no such file, or no such folder. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

const readBytes = promisify(read);

/** Opened, measured and closed at once: that takes less than the way to another thread. Only bytes are waited for. */
class LocalBytes implements ArchiveBytes {
  readonly #file: number;
  /** Reads under way: the file stays open for them, since its number could be that of another one afterwards. */
  #reads = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(file: number) {
    this.#file = file;
  }

  size(): number {
    this.#mustBeOpen();
    return fstatSync(this.#file).size;
  }

  async read(position: number, length: number): Promise<Buffer> {
    this.#mustBeOpen();
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    this.#reads++;
    try {
      while (filled < length) {
        const { bytesRead } = await readBytes(this.#file, buffer, filled, length - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
    } finally {
      this.#reads--;
      this.#closeIfDone();
    }
    return buffer.subarray(0, filled);
  }

  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing';
    this.#closeIfDone();
  }

  #mustBeOpen(): void {
    if (this.#state !== 'open') throw new TypeError('The file is closed.');
  }

  #closeIfDone(): void {
    if (this.#state !== 'closing' || this.#reads > 0) return;
    this.#state = 'closed';
    closeSync(this.#file);
  }
}

/** Read by range requests. */
class ShippedBytes implements ArchiveBytes {
  readonly #address: string;
  readonly #object: ShippedObject;
  readonly #store: ObjectStore;

  constructor(address: string, object: ShippedObject, store: ObjectStore) {
    this.#address = address;
    this.#object = object;
    this.#store = store;
  }

  size(): number {
    return this.#object.bytes;
  }

  async read(position: number, length: number): Promise<Buffer> {
    const { key, bytes } = this.#object;
    const to = Math.min(bytes, position + length);
    if (to <= position) return Buffer.alloc(0);
    const found = await readOrFail(this.#store.read(key, position, to), this.#address);
    if (found === undefined) throw storeFailed(this.#address, `it does not hold ${key} any more`);
    if (found.length < to - position) throw storeFailed(this.#address, `${key} is shorter than it was`);
    return found;
  }

  async close(): Promise<void> {}
}

async function readOrFail<T>(reading: Promise<T>, address: string): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof ObjectStoreFailure ? storeFailed(address, error.message) : error;
  }
}

export function storeFailed(address: string, why: string): OrbweaverError {
  return new OrbweaverError('ARCHIVE_STORE_FAILED', `The archive store ${address} cannot be read: ${why}.`, {
    remedy:
      'Look at the network, at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and at the region; or put the archive file back into its folder.',
  });
}
