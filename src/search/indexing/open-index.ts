import { mkdirSync, rmSync } from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';
import type { SearchIndex } from '../../contracts/search-index.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import { storageError } from '../../engines/storage-error.ts';
import { createIndexAnalyzer } from '../../index/analysis/index-analyzer.ts';
import { openSegmentIndex } from '../../index/segment-index.ts';
import { formerLinksFolder, indexFolder, workshopFolder } from './index-folder.ts';
import { refuseMaster } from './master/master-place.ts';
import { withRebuildRemedy } from './older-index.ts';

/** The index of a folder, this process being the one that writes it. */
export interface WritableIndex extends AsyncDisposable {
  readonly index: SearchIndex;
}

/** Opens the index of a crawl folder for writing; made where there is none. A second writer is refused, and so is a master index. */
export async function openIndexOf(folder: string): Promise<WritableIndex> {
  refuseMaster(folder);
  const lock = lockIndexOf(folder);
  try {
    // Left by a rebuild that was cut off: whoever holds the lock knows that none is under way.
    for (const left of [workshopFolder(folder), formerLinksFolder(folder)])
      rmSync(left, { recursive: true, force: true });
    const index = await openSegmentIndex({ folder: indexFolder(folder), analyze: createIndexAnalyzer().analyze });
    return {
      index,
      async [Symbol.asyncDispose]() {
        await index[Symbol.asyncDispose]();
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw withRebuildRemedy(error, folder);
  }
}

/** Keeps every other writer away, whatever state the index is in. */
export function lockIndexOf(folder: string): Disposable {
  const place = indexFolder(folder);
  try {
    mkdirSync(place, { recursive: true });
    return lockFolder(place);
  } catch (cause) {
    if (!(cause instanceof OrbweaverError)) throw storageError(cause, place);
    throw new OrbweaverError('FOLDER_IN_USE', `Another process is writing the index of ${folder}.`, {
      remedy:
        'A crawl keeps its index up to date by itself. Wait for the other process to end, or stop it with Ctrl-C.',
      cause,
    });
  }
}
