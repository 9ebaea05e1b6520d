import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import { storageError } from '../../engines/storage-error.ts';
import type { RejectedDocument } from './bulk-sender.ts';

/** How far a crawl has been sent, and where to. */
export interface SinkPlace {
  /** Under which name documents of this folder stand in the index: no other folder ever removes them. */
  readonly source: string;
  readonly url: string;
  /** The number of the index that they were sent to. */
  readonly indexId: string;
  /** The end of what was sent, by archive file. */
  readonly archive: Readonly<Record<string, number>>;
  /** Patterns of pages that were left out. */
  readonly excluded: readonly string[];
  /** Pages may have gone without a visit: the index is to be compared with the crawl. */
  readonly isStale: boolean;
}

const PLACE = 'place.json';
const REJECTED = 'rejected.jsonl';

function sinkFolder(folder: string): string {
  return join(folder, 'opensearch');
}

/** Whether documents of the folder were ever sent, and where to. */
export function readSinkPlace(folder: string): SinkPlace | undefined {
  const path = join(sinkFolder(folder), PLACE);
  if (!existsSync(path)) return undefined;
  try {
    const place = JSON.parse(readFileSync(path, 'utf8')) as SinkPlace;
    if (typeof place.source === 'string' && typeof place.archive === 'object') return place;
  } catch {
    // Below.
  }
  throw new OrbweaverError('FOLDER_CORRUPT', `${path} cannot be read.`, {
    remedy: 'Delete it: everything is sent again then. Documents that were deleted meanwhile stay in the index.',
  });
}

/** What was sent says nothing any more (the archive has changed): everything is sent again, and what is gone is looked for. */
export function restartSink(folder: string): boolean {
  const place = readSinkPlace(folder);
  if (place === undefined) return false;
  write(folder, { ...place, archive: {}, isStale: true });
  return true;
}

/** The place of a folder, this process being the one that sends. */
export class SinkPlaceKeeper implements Disposable {
  readonly #folder: string;
  readonly #lock: Disposable;
  #place: SinkPlace;

  constructor(folder: string, url: string) {
    this.#folder = folder;
    this.#lock = lock(folder);
    try {
      const kept = readSinkPlace(folder);
      const fresh = { url, indexId: '', archive: {}, excluded: [], isStale: false };
      this.#place = kept?.url === url ? kept : { source: kept?.source ?? randomUUID(), ...fresh };
      // Before anything is sent: whoever goes on after a failure need not name the index again.
      if (this.#place !== kept) write(folder, this.#place);
    } catch (error) {
      this.#lock[Symbol.dispose]();
      throw error;
    }
  }

  get place(): SinkPlace {
    return this.#place;
  }

  /** Durable when it returns. */
  write(change: Partial<SinkPlace>): void {
    this.#place = { ...this.#place, ...change };
    write(this.#folder, this.#place);
  }

  /** Documents that the server would not have, for the next run to try again. */
  rejected(): RejectedDocument[] {
    const path = join(sinkFolder(this.#folder), REJECTED);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as RejectedDocument];
      } catch {
        // The end of a line that a kill has cut off.
        return [];
      }
    });
  }

  addRejected(documents: readonly RejectedDocument[]): void {
    if (documents.length === 0) return;
    const lines = documents.map((one) => `${JSON.stringify(one)}\n`).join('');
    writeDurably(join(sinkFolder(this.#folder), REJECTED), lines, 'a');
  }

  replaceRejected(documents: readonly RejectedDocument[]): void {
    const path = join(sinkFolder(this.#folder), REJECTED);
    if (documents.length === 0) rmSync(path, { force: true });
    else writeDurably(path, documents.map((one) => `${JSON.stringify(one)}\n`).join(''), 'w');
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }
}

function lock(folder: string): Disposable {
  const place = sinkFolder(folder);
  try {
    mkdirSync(place, { recursive: true });
    return lockFolder(place);
  } catch (cause) {
    if (!(cause instanceof OrbweaverError)) throw storageError(cause, place);
    throw new OrbweaverError('FOLDER_IN_USE', `Another process is sending the documents of ${folder}.`, {
      remedy: 'A crawl sends its documents by itself. Wait for the other process to end, or stop it with Ctrl-C.',
      cause,
    });
  }
}

function write(folder: string, place: SinkPlace): void {
  const path = join(sinkFolder(folder), PLACE);
  writeDurably(`${path}.new`, JSON.stringify(place), 'w');
  renameSync(`${path}.new`, path);
  syncFolder(sinkFolder(folder));
}

function writeDurably(path: string, text: string, how: 'a' | 'w'): void {
  try {
    const file = openSync(path, how);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw storageError(error, path);
  }
}

/** The name is durable as well. Some systems know no such thing. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // As durable as the system has it.
  }
}
