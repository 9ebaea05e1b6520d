import { fingerprint } from '../../base/fingerprint.ts';
import { type ArchiveBytes, openLocalBytes } from '../shipping/archive-bytes.ts';
import { lineAt } from './line-at.ts';

const READ_BYTES = 1024 * 1024;

/** The index of a file still being written: where the lines of each key begin, 50 bytes a line. One file per writer. */
export class UnsortedCdxj {
  readonly #path: string;
  /** Fingerprint of the key -> starts of lines. Keys may collide: whoever reads the line looks at it. */
  readonly #starts = new Map<bigint, number | number[]>();
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
      for (const start of [this.#starts.get(fingerprint(surt)) ?? []].flat()) {
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
    let size = READ_BYTES;
    for (;;) {
      const buffer = await handle.read(this.#indexed, size);
      const end = buffer.lastIndexOf(0x0a) + 1;
      for (let start = 0; start < end; start = buffer.indexOf(0x0a, start) + 1) {
        const keyEnd = buffer.indexOf(0x20, start);
        this.#add(fingerprint(buffer.toString('latin1', start, keyEnd)), this.#indexed + start);
      }
      this.#indexed += end;
      if (buffer.length < size) return;
      if (end === 0) size *= 4;
    }
  }

  #add(key: bigint, start: number): void {
    const known = this.#starts.get(key);
    if (known === undefined) this.#starts.set(key, start);
    else if (typeof known === 'number') this.#starts.set(key, [known, start]);
    else known.push(start);
  }
}
