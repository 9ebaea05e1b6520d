import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ByteWriter } from '../../base/byte-writer.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { KeyBlockBuilder } from './key-block.ts';
import { MAGIC, packBlock, packFoot, packIndex, type RunFoot } from './run-layout.ts';
import type { SymbolTable } from './symbol-table.ts';
import { urlLength } from './url-key.ts';

/** Of a block. Larger ones take a little less together, and longer to look into. */
const BLOCK_BYTES = 4 * 1024;
const HELD_BYTES = 256 * 1024;

/** Writes a run beside its place and moves it there when it is complete and on disk: a crash leaves the whole of it or none. */
export class RunWriter implements Disposable {
  readonly #path: string;
  readonly #symbols: Buffer;
  #file: number | undefined;
  readonly #block: KeyBlockBuilder;
  readonly #held = new ByteWriter(HELD_BYTES);
  readonly #index = new ByteWriter();
  #separator: Buffer = Buffer.alloc(0);
  #pending: Buffer = Buffer.alloc(0);
  #last = Buffer.alloc(256);
  #lastLength = -1;
  #next = Buffer.alloc(256);
  #written = 0;
  #urls = 0;
  #blocks = 0;
  #textBytes = 0;

  constructor(path: string, table: SymbolTable) {
    this.#path = path;
    this.#symbols = table.packed;
    this.#block = new KeyBlockBuilder(table);
    this.#file = openSync(draftOf(path), 'w');
    this.#write(MAGIC);
    this.#write(this.#symbols);
  }

  /** Keys come in order, each once. */
  add(key: string): void {
    const { length } = key;
    if (length > this.#next.length) this.#next = Buffer.alloc(2 * length);
    const next = this.#next;
    next.write(key, 0, 'latin1');
    const shared = this.#sharedWithLast(next, length);
    if (this.#block.count === 0) this.#pending = Buffer.from(next.subarray(0, Math.min(length, shared + 1)));
    this.#block.add(next, length, this.#block.count === 0 ? 0 : shared);
    this.#next = this.#last;
    this.#last = next;
    this.#lastLength = length;
    this.#urls++;
    this.#textBytes += urlLength(key) + 1;
    if (this.#block.size >= BLOCK_BYTES) this.#endBlock();
  }

  /** Completes the file. */
  finish(): RunFoot {
    if (this.#block.count > 0) this.#endBlock();
    const index = packIndex(this.#index.written);
    const foot = {
      symbolsLength: this.#symbols.length,
      symbolsCrc: crc32(this.#symbols),
      indexStart: this.#written,
      indexLength: index.length,
      ...{ urls: this.#urls, blocks: this.#blocks, textBytes: this.#textBytes },
    };
    this.#write(index);
    this.#write(packFoot(foot));
    this.#flush();
    const file = this.#file as number;
    fsyncSync(file);
    closeSync(file);
    this.#file = undefined;
    renameSync(draftOf(this.#path), this.#path);
    return foot;
  }

  /** Removes what is not complete. */
  [Symbol.dispose](): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    rmSync(draftOf(this.#path), { force: true });
  }

  #sharedWithLast(next: Buffer, length: number): number {
    const last = this.#last;
    const most = Math.min(length, Math.max(0, this.#lastLength));
    let shared = 0;
    while (shared < most && next[shared] === last[shared]) shared++;
    const isBehind = shared === this.#lastLength ? length > shared : shared < length && next[shared] > last[shared];
    if (this.#lastLength >= 0 && !isBehind) {
      throw new OrbweaverError('INTERNAL', `Keys for ${this.#path} came out of order.`);
    }
    return shared;
  }

  /** The checkpoint of a block is the shortest text that lies behind the block before it, and not behind its first key. */
  #endBlock(): void {
    const { count } = this.#block;
    const block = packBlock(this.#block.take());
    this.#write(block);
    const separator = this.#pending;
    let shared = 0;
    while (shared < separator.length && separator[shared] === this.#separator[shared]) shared++;
    this.#index.varint(shared);
    this.#index.varint(separator.length - shared);
    this.#index.bytes(separator.subarray(shared));
    this.#index.varint(block.length);
    this.#index.varint(count);
    this.#separator = separator;
    this.#blocks++;
  }

  #write(bytes: Uint8Array): void {
    this.#held.bytes(bytes);
    this.#written += bytes.length;
    if (this.#held.length >= HELD_BYTES) this.#flush();
  }

  #flush(): void {
    const { written } = this.#held;
    for (let at = 0; at < written.length; ) at += writeSync(this.#file as number, written, at);
    this.#held.clear();
  }
}

/** Where a run is written before it counts. */
export function draftOf(path: string): string {
  return `${path}.part`;
}
