import { join } from 'node:path';
import type { OrbweaverError } from '../../base/errors.ts';
import type { PutLocation } from '../../contracts/archive.ts';
import type { ArchiveDisk, ArchiveFile } from '../archive-disk.ts';
import type { ArchiveFileName } from '../archive-file-name.ts';
import { cdxjOf, formatArchiveFileName, nextArchiveFileName, parseArchiveFileName } from '../archive-file-name.ts';
import { formatCdxj } from '../cdxj/cdxj-line.ts';
import { storageError } from '../storage-error.ts';
import type { EncodedVisit } from './visit-encoder.ts';

export interface WarcWriterOptions {
  readonly folder: string;
  readonly writerId: string;
  readonly maxFileBytes: number;
  /** 'data': a visit is durable only when the device has it. */
  readonly sync: 'none' | 'data';
  readonly disk: ArchiveDisk;
  readonly now: () => number;
  /** The first gzip member of the file of this name. */
  readonly warcinfo: (file: string) => Uint8Array;
  /** The file is complete; nothing will be appended to it any more. */
  readonly onComplete: (file: string) => void;
}

/** A WARC file and its index, and how far both are good. */
interface OpenPair {
  readonly name: string;
  readonly warc: ArchiveFile;
  readonly cdxj: ArchiveFile;
  fileEnd: number;
  indexEnd: number;
  retired: boolean;
}

/**
 * Appends visits to WARC files and their indexes.
 *
 * Invariants:
 *  - a visit goes to the WARC in one write, then its line to the index; a file that was complete once never grows again,
 *    and every session begins a new file;
 *  - `fileEnd` and `indexEnd` are the lengths of whole visits: what lies beyond is torn, and cut off here or at restart;
 *  - after a failed write nothing is written any more: the failure is the answer to every later append.
 */
export class WarcWriter {
  readonly #options: WarcWriterOptions;
  #pair: OpenPair | undefined;
  #last: ArchiveFileName | undefined;
  #failure: OrbweaverError | undefined;
  #newNames = false;
  readonly #unsynced = new Set<OpenPair>();
  #syncing: Promise<void> | undefined;
  #syncingNext: Promise<void> | undefined;

  constructor(options: WarcWriterOptions) {
    this.#options = options;
  }

  /** Synchronous, so that the order of calls is the order in the file. Not durable yet where `sync` is 'data'. */
  append(visit: EncodedVisit): PutLocation {
    if (this.#failure !== undefined) throw this.#failure;
    const { maxFileBytes } = this.#options;
    if (this.#pair !== undefined && this.#pair.fileEnd + visit.length > maxFileBytes) this.#retire();
    try {
      this.#pair ??= this.#create();
      return this.#appendTo(this.#pair, visit);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Resolves when everything appended before the call would survive a power failure. */
  durable(): Promise<void> {
    if (this.#syncing === undefined) return this.#startSync();
    // The sync under way may have begun before the last append: wait for the next one, together with all who ask now.
    this.#syncingNext ??= this.#syncing.then(
      () => this.#startSync(),
      () => this.#startSync(),
    );
    return this.#syncingNext;
  }

  async close(): Promise<void> {
    if (this.#failure !== undefined) return;
    if (this.#pair !== undefined) this.#retire();
    if (this.#options.sync === 'data') await this.durable();
  }

  #create(): OpenPair {
    const { folder, writerId, disk } = this.#options;
    this.#last ??= this.#lastName();
    for (;;) {
      const name = nextArchiveFileName(writerId, this.#options.now(), this.#last);
      this.#last = name;
      const file = formatArchiveFileName(name);
      let cdxj: ArchiveFile | undefined;
      try {
        // The index first: one without a WARC is plainly a leftover.
        cdxj = disk.create(join(folder, cdxjOf(file)));
        const warc = disk.create(join(folder, file));
        this.#newNames = true;
        return { name: file, warc, cdxj, fileEnd: 0, indexEnd: 0, retired: false };
      } catch (error) {
        cdxj?.close();
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  #lastName(): ArchiveFileName | undefined {
    const { disk, folder, writerId } = this.#options;
    const own = disk.list(folder).filter((file) => parseArchiveFileName(file)?.writerId === writerId);
    const last = own.sort().at(-1);
    return last === undefined ? undefined : parseArchiveFileName(last);
  }

  #appendTo(pair: OpenPair, visit: EncodedVisit): PutLocation {
    const info = pair.fileEnd === 0 ? this.#options.warcinfo(pair.name) : undefined;
    const start = pair.fileEnd;
    const first = start + (info?.length ?? 0);
    const offset = first + visit.mainOffset;
    const line = Buffer.from(formatCdxj({ ...visit.capture, file: pair.name, offset, length: visit.mainLength }));
    appendAll(pair.warc, info === undefined ? visit.parts : [info, ...visit.parts]);
    appendAll(pair.cdxj, [line]);
    pair.fileEnd = first + visit.length;
    pair.indexEnd += line.length;
    if (this.#options.sync === 'data') this.#unsynced.add(pair);
    const { fileEnd, indexEnd } = pair;
    return { file: pair.name, start, offset, length: visit.mainLength, fileEnd, indexEnd };
  }

  #retire(): void {
    const pair = this.#pair!;
    this.#pair = undefined;
    pair.retired = true;
    // A pair that is still to be synced is closed after that.
    if (!this.#unsynced.has(pair)) this.#closePair(pair);
    this.#options.onComplete(pair.name);
  }

  #closePair(pair: OpenPair): void {
    try {
      pair.warc.close();
      pair.cdxj.close();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #startSync(): Promise<void> {
    const run = this.#syncAll();
    this.#syncing = run;
    this.#syncingNext = undefined;
    const ended = (): void => {
      // With a next one waiting the place stays taken: a third must join that one, not overtake it.
      if (this.#syncing === run && this.#syncingNext === undefined) this.#syncing = undefined;
    };
    run.then(ended, ended);
    return run;
  }

  async #syncAll(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const pairs = [...this.#unsynced];
    this.#unsynced.clear();
    try {
      for (const pair of pairs) await Promise.all([pair.warc.sync(), pair.cdxj.sync()]);
      if (this.#newNames) await this.#options.disk.syncFolder(this.#options.folder);
      this.#newNames = false;
    } catch (error) {
      throw this.#fail(error);
    }
    for (const pair of pairs) if (pair.retired && !this.#unsynced.has(pair)) this.#closePair(pair);
  }

  /** Cuts off what the failed write left behind, as far as the disk lets us, and closes for good. */
  #fail(cause: unknown): OrbweaverError {
    if (this.#failure !== undefined) return this.#failure;
    this.#failure = storageError(cause, this.#options.folder);
    const pair = this.#pair;
    this.#pair = undefined;
    if (pair !== undefined) {
      for (const cut of [() => pair.warc.truncate(pair.fileEnd), () => pair.cdxj.truncate(pair.indexEnd)]) {
        // Where even this fails, the repair at the next start does it.
        ignoringErrors(cut);
      }
      ignoringErrors(() => pair.warc.close());
      ignoringErrors(() => pair.cdxj.close());
    }
    return this.#failure;
  }
}

function appendAll(file: ArchiveFile, parts: readonly Uint8Array[]): void {
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  let written = file.append(parts);
  // A short write is rare (a nearly full disk, a signal): the rest goes in one piece, or tells the error.
  while (written < total) {
    const count = file.append([Buffer.concat(parts).subarray(written)]);
    if (count === 0) throw Object.assign(new Error('no progress in writing'), { code: 'EIO' });
    written += count;
  }
}

function ignoringErrors(act: () => void): void {
  try {
    act();
  } catch {}
}
