import { type FileHandle, open } from 'node:fs/promises';
import { diskError } from '../../base/disk-error.ts';
import { BlockWriter } from './block-writer.ts';
import type { Compression } from './compression.ts';

/** How much of a file counts: as it lies on the disk, and before compression. */
export interface FileLength {
  readonly stored: number;
  readonly bytes: number;
}

/** A file that is written from its beginning, or from a length on: what lies behind that is cut off. */
export class PartFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #blocks: BlockWriter;
  #stored: number;

  private constructor(
    path: string,
    handle: FileHandle,
    { stored, bytes }: FileLength,
    compression: Compression | undefined,
  ) {
    this.path = path;
    this.#handle = handle;
    this.#stored = stored;
    this.#blocks = new BlockWriter((block) => this.#put(block), compression, bytes);
  }

  /** Undefined where less is there than should be: it cannot be gone on with. */
  static async open(
    path: string,
    length: FileLength = { stored: 0, bytes: 0 },
    compression?: Compression,
  ): Promise<PartFile | undefined> {
    try {
      const handle = await open(path, length.stored === 0 ? 'w' : 'r+');
      if ((await handle.stat()).size < length.stored) {
        await handle.close();
        return undefined;
      }
      await handle.truncate(length.stored);
      return new PartFile(path, handle, length, compression);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT' && length.stored > 0) return undefined;
      throw diskError(cause, `the export ${path}`);
    }
  }

  get bytes(): number {
    return this.#blocks.bytes;
  }

  async write(piece: Uint8Array | string): Promise<void> {
    await this.#blocks.write(piece);
  }

  /** What was written is on the disk; answers how much that is. */
  async sync(): Promise<FileLength> {
    await this.#blocks.flush();
    await this.#handle.datasync().catch((cause: unknown) => {
      throw diskError(cause, `the export ${this.path}`);
    });
    return { stored: this.#stored, bytes: this.bytes };
  }

  async close(): Promise<FileLength> {
    await this.#blocks.flush();
    await this.#handle.close();
    return { stored: this.#stored, bytes: this.bytes };
  }

  /** Leaves it as it is: after a fault. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
  }

  async #put(block: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < block.length; ) {
        const { bytesWritten } = await this.#handle.write(block, at, block.length - at, this.#stored);
        at += bytesWritten;
        this.#stored += bytesWritten;
      }
    } catch (cause) {
      throw diskError(cause, `the export ${this.path}`);
    }
  }
}
