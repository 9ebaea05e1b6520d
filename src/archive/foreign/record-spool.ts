import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { storageError } from '../storage-error.ts';
import { fieldLine } from '../warc/warc-fields.ts';
import { RECORD_END, type WarcRecord } from '../warc/warc-record.ts';

/** Fields that are written anew, or speak of the block as it was before it was cut. */
const LEFT_OUT = new Set(['content-length', 'warc-block-digest', 'warc-truncated']);

/**
 * Takes records that cannot be read alone where they lie (of files that are compressed as a whole, of ARC files, of archives that lie compressed
 * in a WACZ file), so that each can be. A file for each foreign file; it is made again when that one is looked through again.
 */
export class RecordSpool implements Disposable {
  readonly path: string;
  #fd: number | undefined;
  #end = 0;

  constructor(path: string) {
    this.path = path;
  }

  put(record: WarcRecord): { readonly path: string; readonly offset: number; readonly length: number } {
    const { fields, block, type, cut } = record;
    const kept = fields.pairs.filter(([name]) => !LEFT_OUT.has(name.toLowerCase()));
    const truncated = cut ? 'length' : fields.get('WARC-Truncated');
    const head = [
      'WARC/1.1\r\n',
      ...(fields.get('WARC-Type') === undefined ? [fieldLine('WARC-Type', type)] : []),
      ...kept.map(([name, value]) => fieldLine(name, value)),
      ...(truncated === undefined ? [] : [fieldLine('WARC-Truncated', truncated)]),
      `${fieldLine('Content-Length', block.length)}\r\n`,
    ];
    const member = gzipSync(Buffer.concat([Buffer.from(head.join('')), block, RECORD_END]), { level: 1 });
    const offset = this.#end;
    try {
      this.#fd ??= openSync(this.path, 'w');
      for (let at = 0; at < member.length; ) at += writeSync(this.#fd, member, at, member.length - at, offset + at);
    } catch (error) {
      throw storageError(error, this.path);
    }
    this.#end += member.length;
    return { path: this.path, offset, length: member.length };
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}
