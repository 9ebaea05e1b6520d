import {
  closeSync,
  copyFileSync,
  fsync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

const fsyncInBackground = promisify(fsync);

/** The writing side of the disk, so that a test can look at the folder between any two steps. */
export interface IndexDisk {
  create(path: string): IndexFile;
  rename(from: string, to: string): void;
  /** A file that is durable, and never changes, under another name as well. */
  link(from: string, to: string): Promise<void>;
  remove(path: string): void;
  list(folder: string): readonly string[];
  /** Makes new and changed names of the folder last through a power failure. */
  syncFolder(folder: string): void;
}

export interface IndexFile {
  append(bytes: Uint8Array): void;
  /** Resolves when what was appended would survive a power failure. */
  sync(): Promise<void>;
  close(): void;
}

export const nodeIndexDisk: IndexDisk = {
  create(path) {
    const fd = openSync(path, 'w');
    return {
      append(bytes) {
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
      },
      sync: () => fsyncInBackground(fd),
      close: () => closeSync(fd),
    };
  },
  rename: renameSync,
  async link(from, to) {
    try {
      linkSync(from, to);
    } catch (error) {
      // Some file systems have no second names.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
      copyFileSync(from, to);
      const fd = openSync(to, 'r+');
      try {
        await fsyncInBackground(fd);
      } finally {
        closeSync(fd);
      }
    }
  },
  remove(path) {
    try {
      unlinkSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  },
  list: (folder) => readdirSync(folder),
  syncFolder(folder) {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },
};
