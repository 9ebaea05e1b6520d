import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** As many as other writers put into a block. */
const BLOCK_LINES = 300;

/** A sorted index in blocks of lines, each a gzip member, and the list of the blocks, by which a reader finds the one that it needs. */
export class ZipNumIndex {
  readonly #name: string;
  readonly #list: string[];

  constructor(name: string) {
    this.#name = name;
    this.#list = [`!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename: name })}\n`];
  }

  /** The blocks. `lines` are sorted and without line feeds. */
  async *blocks(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
    let held: string[] = [];
    let offset = 0;
    const block = (): Buffer => {
      const bytes = gzipSync(`${held.join('\n')}\n`);
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      const key = held[0].split(' ', 2).join(' ');
      const place = { offset, length: bytes.length, digest, filename: this.#name };
      this.#list.push(`${key} ${JSON.stringify(place)}\n`);
      offset += bytes.length;
      held = [];
      return bytes;
    };
    for (const line of lines) {
      held.push(line);
      if (held.length === BLOCK_LINES) yield block();
    }
    if (held.length > 0) yield block();
  }

  /** Complete when all blocks were taken. */
  get list(): Buffer {
    return Buffer.from(this.#list.join(''));
  }
}
