import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { diskError } from '../../base/disk-error.ts';
import { makeRoom } from '../../base/make-room.ts';
import { BlockIndex } from './block-index.ts';
import { damagedUrls } from './damaged-urls.ts';
import { BlockFault, KeyBlockCursor } from './key-block.ts';
import { FOOT_BYTES, MAGIC, type RunFoot, unpackBlock, unpackFoot, unpackIndex } from './run-layout.ts';
import { SymbolTable } from './symbol-table.ts';

/** Blocks that are kept for the next lookup: 4 MB. */
const KEPT_BLOCKS = 1024;

/** Asks a run. Its checkpoints are held in memory, everything else is read when it is needed. */
export class RunReader implements Disposable {
  readonly path: string;
  readonly bytes: number;
  readonly foot: RunFoot;
  readonly #file: number;
  readonly #table: SymbolTable;
  readonly #index: BlockIndex;
  readonly #kept = new Map<number, Buffer>();

  /** Throws where the file is missing (`STORAGE_FAILED`), or its ends or checkpoints are damaged (`URLS_DAMAGED`). */
  constructor(path: string) {
    this.path = path;
    this.#file = openedFile(path);
    try {
      this.bytes = fstatSync(this.#file).size;
      if (this.bytes < MAGIC.length + FOOT_BYTES) throw damagedUrls(path, 'it is cut off');
      this.foot = unpackFoot(this.#read(this.bytes - FOOT_BYTES, FOOT_BYTES), path);
      const { symbolsLength, symbolsCrc, indexStart, indexLength } = this.foot;
      if (indexStart + indexLength + FOOT_BYTES !== this.bytes || MAGIC.length + symbolsLength > indexStart) {
        throw damagedUrls(path, 'it is longer or shorter than its end says');
      }
      const head = this.#read(0, MAGIC.length + symbolsLength);
      const symbols = head.subarray(MAGIC.length);
      if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw damagedUrls(path, 'its beginning is another one');
      const table = crc32(symbols) === symbolsCrc ? SymbolTable.unpack(symbols) : undefined;
      if (table === undefined) throw damagedUrls(path, 'its table of symbols has another checksum');
      this.#table = table;
      const index = unpackIndex(this.#read(indexStart, indexLength), path);
      this.#index = new BlockIndex(index, this.foot, head.length, path);
    } catch (cause) {
      closeSync(this.#file);
      throw cause;
    }
  }

  /** Bytes that it holds in memory for its checkpoints. */
  get memory(): number {
    return this.#index.memory;
  }

  has(key: string): boolean {
    const wanted = Buffer.from(key, 'latin1');
    const block = this.#index.blockOf(wanted);
    return block >= 0 && this.#within(block, () => new KeyBlockCursor(this.#keptBlock(block), this.#table).has(wanted));
  }

  /** Keys in order, of those that begin with `prefix`, or of all. */
  *keys(prefix = ''): Generator<string> {
    const first = prefix === '' ? 0 : Math.max(0, this.#index.blockOf(Buffer.from(prefix, 'latin1')));
    for (let block = first; block < this.foot.blocks; block++) {
      const keys = this.#within(block, () => new KeyBlockCursor(this.#block(block), this.#table).keys());
      for (;;) {
        const { done, value } = this.#within(block, () => keys.next());
        if (done === true) break;
        if (value < prefix) continue;
        if (!value.startsWith(prefix)) return;
        yield value;
      }
    }
  }

  /** At least `count` rests of keys from all over the run, where it has so many: what symbols are learnt from. */
  *sample(count: number): Generator<Buffer> {
    const perBlock = this.foot.urls / Math.max(1, this.foot.blocks);
    const step = Math.max(1, (this.foot.blocks * perBlock) / Math.max(1, count));
    for (let at = 0; at < this.foot.blocks; at += step) {
      const block = Math.floor(at);
      yield* new KeyBlockCursor(this.#block(block), this.#table).rests();
    }
  }

  /** Reads everything. Throws at the first damage, also where keys are out of order or their number is another one. */
  check(): void {
    let urls = 0;
    let before: string | undefined;
    for (const key of this.keys()) {
      if (before !== undefined && key <= before) throw damagedUrls(this.path, 'its URLs are out of order');
      before = key;
      urls++;
    }
    if (urls !== this.foot.urls)
      throw damagedUrls(this.path, `it holds ${urls} URLs and should hold ${this.foot.urls}`);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
    this.#kept.clear();
  }

  #keptBlock(block: number): Buffer {
    const kept = this.#kept.get(block) ?? this.#block(block);
    // The newest is the last: what was not asked for longest goes first.
    this.#kept.delete(block);
    makeRoom(this.#kept, KEPT_BLOCKS).set(block, kept);
    return kept;
  }

  #block(block: number): Buffer {
    const { start, end } = this.#index.placeOf(block);
    return unpackBlock(this.#read(start, end - start), this.path, `the block at byte ${start}`);
  }

  #within<T>(block: number, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof BlockFault)) throw cause;
      const { start } = this.#index.placeOf(block);
      throw damagedUrls(this.path, `the block at byte ${start}: ${cause.message}`, cause);
    }
  }

  #read(start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    try {
      for (let at = 0; at < length; ) {
        const read = readSync(this.#file, bytes, at, length - at, start + at);
        if (read === 0) throw damagedUrls(this.path, 'it is cut off');
        at += read;
      }
    } catch (cause) {
      throw diskError(cause, `the URLs in ${this.path}`);
    }
    return bytes;
  }
}

function openedFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw diskError(cause, `the URLs in ${path}`);
  }
}
