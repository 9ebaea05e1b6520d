import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';

/** A body on disk while it waits. */
export interface BodyFile {
  /** Throws where the disk does not take it; what was appended before is still there. */
  append(piece: Uint8Array): void;
  /** All of it in one. */
  read(): Buffer;
  close(): void;
}

/** The file has no name as soon as it is open: it ends with the process, however that ends. */
export function openBodyFile(path: string): BodyFile {
  const fd = openSync(path, 'w+');
  let length = 0;
  try {
    unlinkSync(path);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return {
    append(piece) {
      let at = 0;
      while (at < piece.length) at += writeSync(fd, piece, at, piece.length - at, length + at);
      length += piece.length;
    },
    read() {
      const body = Buffer.allocUnsafeSlow(length);
      let at = 0;
      while (at < length) {
        const count = readSync(fd, body, at, length - at, at);
        if (count === 0) throw new Error(`the file of a body ended after ${at} of ${length} bytes`);
        at += count;
      }
      return body;
    },
    close: () => closeSync(fd),
  };
}
