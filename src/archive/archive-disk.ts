import { closeSync, fdatasync, ftruncateSync, openSync, readdirSync, writevSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

const fdatasyncInBackground = promisify(fdatasync);

/** The writing side of the disk, so that a test can make it full or faulty. */
export interface ArchiveDisk {
  /** Creates a file for appending; throws EEXIST when there is one of that name. */
  create(path: string): ArchiveFile;
  list(folder: string): string[];
  /** Makes new names in the folder last through a power failure. */
  syncFolder(folder: string): Promise<void>;
}

export interface ArchiveFile {
  /** Appends in one system call and tells how many bytes went out, which may be fewer than given. */
  append(parts: readonly Uint8Array[]): number;
  truncate(length: number): void;
  /** Resolves when what was appended would survive a power failure. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * Appends go to the page cache in the calling thread: a few microseconds, where a trip through the thread pool costs
 * several times that. Only `sync` waits for the device, and that it does in the background.
 */
export const nodeDisk: ArchiveDisk = {
  create(path) {
    const fd = openSync(path, 'ax');
    return {
      append: (parts) => writevSync(fd, parts),
      truncate: (length) => ftruncateSync(fd, length),
      sync: () => fdatasyncInBackground(fd),
      close: () => closeSync(fd),
    };
  },
  list: (folder) => readdirSync(folder),
  async syncFolder(folder) {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};
