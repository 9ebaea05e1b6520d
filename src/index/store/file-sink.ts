import { ByteWriter } from '../../base/byte-writer.ts';
import type { ByteSink } from '../format/posting-writer.ts';
import type { IndexFile } from './index-disk.ts';

const HELD_BYTES = 1 << 18;
/** Most segments are small: room for more is made when it is needed. */
const FIRST_BYTES = 1 << 14;

/** Gathers small pieces into large writes. */
export class FileSink implements ByteSink {
  readonly #file: IndexFile;
  readonly #held = new ByteWriter(FIRST_BYTES);
  length = 0;

  constructor(file: IndexFile) {
    this.#file = file;
  }

  write(bytes: Uint8Array): void {
    this.length += bytes.length;
    if (this.#held.length + bytes.length > HELD_BYTES) this.flush();
    if (bytes.length > HELD_BYTES) this.#file.append(bytes);
    else this.#held.bytes(bytes);
  }

  add(bytes: ByteWriter): void {
    const { length } = bytes;
    if (length === 0) return;
    if (length > HELD_BYTES) {
      this.write(bytes.written);
      return;
    }
    this.length += length;
    if (this.#held.length + length > HELD_BYTES) this.flush();
    this.#held.add(bytes);
  }

  flush(): void {
    if (this.#held.length > 0) this.#file.append(this.#held.written);
    this.#held.clear();
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  close(): void {
    this.#file.close();
  }
}
