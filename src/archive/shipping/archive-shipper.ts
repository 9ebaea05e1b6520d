import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { ArchiveLocation } from '../../contracts/archive-location.ts';
import type { ShippedFile, ShippedFiles } from '../../contracts/shipped-file.ts';
import { cdxjOf, parseArchiveFileName } from '../archive-file-name.ts';
import { archiveFiles } from '../cdxj/cdxj-index.ts';
import { fileLength, sortedCdxj } from '../cdxj/cdxj-sort.ts';
import { type ObjectStore, ObjectStoreFailure } from './object-store.ts';
import { bufferBody, fileBody, isStillThere, shipObject } from './ship-object.ts';

export interface ArchiveShipperParts {
  /** With the archive files. */
  readonly folder: string;
  /** Requests that are under way end with the signal. */
  readonly openStore: (signal: AbortSignal, address: string) => Promise<ObjectStore>;
  /** The address of the store, to be written down with each file. */
  readonly address: string;
  /** Goes before every key: no other crawl has the same. Ends with a slash, or is empty. */
  readonly prefix: string;
  /** How much of each file belongs to settled pages: no more than that is shipped. */
  readonly settled: () => Promise<ReadonlyMap<string, Pick<ArchiveLocation, 'fileEnd' | 'indexEnd'>>>;
  /** The first knows it best; all are written, the first last. */
  readonly shipped: readonly [ShippedFiles, ...ShippedFiles[]];
  /** Deletes a file of the folder when the store has confirmed it. Its index stays. */
  readonly deletes: boolean;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onTrouble: (message: string) => void;
}

interface WaitingFile {
  readonly file: string;
  readonly fileEnd: number;
  readonly indexEnd: number;
  /** Where it was shipped to before: only the folder is to be freed of it. */
  readonly before?: ShippedFile;
}

/** Archive files that are not in the store yet. */
export interface UnshippedFiles {
  readonly files: readonly string[];
  /** What went wrong last; empty where nothing did. */
  readonly why: string;
}

const LOOK_EVERY_MS = 5000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 300_000;
const STEP_MS = 1000;

/**
 * Ships archive files to a store, one after the other, beside whoever writes them. A file is shipped when it is complete and all its
 * visits are settled. What fails is tried for ever, with growing waits; nothing waits for it.
 */
export class ArchiveShipper implements AsyncDisposable {
  readonly #parts: ArchiveShipperParts;
  readonly #stopped = new AbortController();
  readonly #abandoned = new AbortController();
  /** Nothing is left to do for these. */
  readonly #done = new Set<string>();
  /** Files of earlier sessions: complete, whoever wrote them. */
  #earlier: ReadonlySet<string> = new Set();
  #loop: Promise<void> = Promise.resolve();
  #trouble = '';
  /** Grows with every piece that is sent. */
  #moved = 0;

  constructor(parts: ArchiveShipperParts) {
    this.#parts = parts;
  }

  /** To be called before the first file of this session is begun. */
  async start(): Promise<void> {
    this.#earlier = new Set(await archiveFiles(this.#parts.folder));
    this.#loop = this.#repeat(false);
  }

  /** Ships what is left when nobody writes any more; gives up when nothing moves for a while. */
  async finish(patienceMs: number): Promise<UnshippedFiles> {
    const over = new AbortController();
    const finishing = this.#finishUntil(over.signal).then(() => 'done' as const);
    for (let idleMs = 0; idleMs < patienceMs; idleMs += STEP_MS) {
      const moved = this.#moved;
      if ((await Promise.race([finishing, this.#parts.clock.sleep(STEP_MS, over.signal)])) === 'done') break;
      // What is sent and refused again and again is no progress.
      if (this.#moved > moved && this.#trouble === '') idleMs = 0;
    }
    over.abort();
    this.#abandoned.abort();
    await finishing;
    return { files: await this.#left(), why: this.#trouble };
  }

  async #left(): Promise<string[]> {
    try {
      const waiting = await this.#waiting(true);
      return waiting.filter(({ before }) => before === undefined).map(({ file }) => file);
    } catch {
      // Nobody tells what is settled: whatever was not shipped in this session may be left.
      return (await archiveFiles(this.#parts.folder)).filter((file) => !this.#done.has(file));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    this.#abandoned.abort();
    await this.#loop;
  }

  async #finishUntil(over: AbortSignal): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
    await this.#repeat(true, over);
  }

  async #repeat(isLast: boolean, signal: AbortSignal = this.#stopped.signal): Promise<void> {
    const { clock, random } = this.#parts;
    for (let failures = 0; !signal.aborted; ) {
      const failed = await this.#pass(isLast, signal);
      if (failed === 'nothing-left' && isLast) return;
      failures = failed === 'failed' ? failures + 1 : 0;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)) * (0.5 + random() / 2);
      await clock.sleep(failures === 0 ? LOOK_EVERY_MS : wait, signal);
    }
  }

  /** Ships what can be shipped now. The first failure ends it: the others would fail as well. */
  async #pass(isLast: boolean, signal: AbortSignal): Promise<'nothing-left' | 'failed'> {
    try {
      for (const { file, fileEnd, indexEnd, before } of await this.#waiting(isLast)) {
        if (signal.aborted) return 'nothing-left';
        if (before !== undefined && (await this.#isStillThere(before))) await this.#confirmed(file, before);
        else await this.#ship(file, fileEnd, indexEnd);
        this.#tell('');
      }
      return 'nothing-left';
    } catch (error) {
      // A request that was ended here says nothing of the store.
      if (!this.#abandoned.signal.aborted) this.#tell(reasonOf(error));
      return 'failed';
    }
  }

  async #waiting(isLast: boolean): Promise<WaitingFile[]> {
    const { folder, shipped, deletes } = this.#parts;
    const present = await archiveFiles(folder);
    const complete = (isLast ? present : this.#complete(present)).filter((file) => !this.#done.has(file));
    if (complete.length === 0) return [];
    const settled = await this.#parts.settled();
    const waiting: WaitingFile[] = [];
    for (const file of complete) {
      const ends = settled.get(file);
      const size = (await fileLength(join(folder, file))) ?? 0;
      // A file without a settled page is removed by the next start; one that has lost some is not ours to judge.
      if (ends === undefined || ends.fileEnd === 0 || size < ends.fileEnd) continue;
      if (!isLast && !this.#earlier.has(file) && size > ends.fileEnd) continue;
      const before = await shipped[0].read(file);
      if (before?.bytes !== ends.fileEnd) waiting.push({ file, ...ends });
      else if (deletes) waiting.push({ file, ...ends, before });
      else this.#done.add(file);
    }
    return waiting;
  }

  /** A writer begins a file when the one before is complete. */
  #complete(present: readonly string[]): string[] {
    const last = new Map(present.map((file) => [parseArchiveFileName(file)?.writerId, file]));
    const growing = new Set(last.values());
    return present.filter((file) => this.#earlier.has(file) || !growing.has(file));
  }

  async #ship(file: string, fileEnd: number, indexEnd: number): Promise<void> {
    const { folder, prefix, address, shipped } = this.#parts;
    const store = await this.#parts.openStore(this.#abandoned.signal, address);
    const body = await fileBody(join(folder, file), fileEnd, () => {
      this.#moved++;
    });
    const object = await shipObject(store, prefix, file, body);
    const lines = await bufferBody(await sortedCdxj(folder, file, indexEnd));
    const index = await shipObject(store, prefix, cdxjOf(file), lines);
    const confirmed: ShippedFile = { store: address, ...object, index };
    for (const place of shipped.toReversed()) await place.write(file, confirmed);
    await this.#confirmed(file, confirmed);
  }

  /** A deletion of records that was cut off has removed it there, and noted nothing. */
  async #isStillThere({ store: address, index, ...object }: ShippedFile): Promise<boolean> {
    const store = await this.#parts.openStore(this.#abandoned.signal, address);
    return (await isStillThere(store, object)) && (await isStillThere(store, index));
  }

  async #confirmed(file: string, confirmed: ShippedFile): Promise<void> {
    if (this.#parts.deletes) await this.#delete(file, confirmed);
    this.#done.add(file);
  }

  /** What lies in the folder beyond what was shipped belongs to no page. */
  async #delete(file: string, { bytes }: ShippedFile): Promise<void> {
    const path = join(this.#parts.folder, file);
    if (((await fileLength(path)) ?? 0) >= bytes) await rm(path, { force: true });
  }

  #tell(trouble: string): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const { address } = this.#parts;
    this.#parts.onTrouble(
      trouble === ''
        ? `Archive files are shipped to ${address} again.`
        : `Archive files are not shipped to ${address} at the moment: ${trouble}. They stay in the folder, and it is tried again.`,
    );
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ObjectStoreFailure) return error.message;
  if (error instanceof OrbweaverError) return `${error.code}: ${error.message.replace(/\.$/, '')}`;
  return (error as NodeJS.ErrnoException).code ?? String((error as Error).message);
}
