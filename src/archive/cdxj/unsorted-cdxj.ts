import { fingerprint } from '../../base/fingerprint.ts';
import { type ArchiveBytes, openLocalBytes } from '../shipping/archive-bytes.ts';
import { lineAt } from './line-at.ts';
import { LineStarts } from './line-starts.ts';

/** Mostly little was added since the last search; a file that is read for the first time is read in larger parts. */
const FIRST_READ_BYTES = 64 * 1024;
const READ_BYTES = 1024 * 1024;

/** The index of a file still being written: where the lines of each key begin, about 11 bytes a line. One file per writer. */
export class UnsortedCdxj {
  readonly #path: string;
  readonly #starts = new LineStarts();
  #indexed = 0;
  #refreshing: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines with this key, in write order. */
  async search(surt: string): Promise<string[]> {
    const handle = await openLocalBytes(this.#path);
    try {
      this.#refreshing ??= this.#refresh(handle).finally(() => {
        this.#refreshing = undefined;
      });
      await this.#refreshing;
      const found: string[] = [];
      for (const start of this.#starts.of(hashOf(surt))) {
        const line = await lineAt(handle, start);
        if (line?.startsWith(`${surt} `)) found.push(line);
      }
      return found;
    } finally {
      await handle.close();
    }
  }

  /** Takes in the lines that were added since; a line that is not over yet waits for the next time. */
  async #refresh(handle: ArchiveBytes): Promise<void> {
    let size = FIRST_READ_BYTES;
    for (;;) {
      const buffer = await handle.read(this.#indexed, size);
      const end = buffer.lastIndexOf(0x0a) + 1;
      for (let start = 0; start < end; start = buffer.indexOf(0x0a, start) + 1) {
        const keyEnd = buffer.indexOf(0x20, start);
        this.#starts.add(hashOf(buffer.toString('latin1', start, keyEnd)), this.#indexed + start);
      }
      this.#indexed += end;
      if (buffer.length < size) return;
      if (end === 0 || size < READ_BYTES) size *= 4;
    }
  }
}

function hashOf(key: string): number {
  return Number(BigInt.asUintN(32, fingerprint(key)));
}
