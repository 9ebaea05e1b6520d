import { existsSync, rmSync } from 'node:fs';
import type { Clock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { SearchIndex } from '../../../contracts/search-index.ts';
import { createIndexAnalyzer } from '../../../index/analysis/index-analyzer.ts';
import { openSegmentIndex } from '../../../index/segment-index.ts';
import { newestManifest } from '../../../index/store/manifest.ts';
import { mediaFolder } from '../index-folder.ts';
import { MediaFollower } from './media-follower.ts';
import { MediaStore, mediaStorePath } from './media-store.ts';

const STEP = 1000;

/** The pictures of a crawl being followed; the caller holds the lock of the index of the folder. */
export interface FollowedMedia extends AsyncDisposable {
  readonly follower: MediaFollower;
}

/** Opens what describes the pictures of a crawl, for writing. `anew`: every document of the archive is read again. */
export async function openMedia(folder: string, clock: Clock, anew = false): Promise<FollowedMedia> {
  const place = mediaFolder(folder);
  // Either without the other says nothing.
  if (newestManifest(place) > 0 !== existsSync(mediaStorePath(place))) rmSync(place, { recursive: true, force: true });
  const index = await openOrBegin(place);
  let store: MediaStore | undefined;
  try {
    store = new MediaStore(place);
    const follower = new MediaFollower({ folder, index, store, clock }, anew);
    const opened = store;
    return {
      follower,
      async [Symbol.asyncDispose]() {
        follower[Symbol.dispose]();
        opened[Symbol.dispose]();
        await index[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    store?.[Symbol.dispose]();
    await index[Symbol.asyncDispose]();
    throw error;
  }
}

/** All of it is made of the archive: an index of an older form is begun again. */
async function openOrBegin(place: string): Promise<SearchIndex> {
  const open = async (): Promise<SearchIndex> =>
    await openSegmentIndex({ folder: place, analyze: createIndexAnalyzer().analyze });
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof OrbweaverError) || error.code !== 'INDEX_OUTDATED') throw error;
    rmSync(place, { recursive: true, force: true });
    return await open();
  }
}

/** Makes what describes the pictures of a folder again: nothing of pages that have gone is left in it. */
export async function renewMedia(folder: string, clock: Clock, signal?: AbortSignal): Promise<void> {
  await using media = await openMedia(folder, clock, true);
  while (!(await media.follower.step(STEP, () => signal?.aborted === true)).caughtUp) signal?.throwIfAborted();
  await media.follower.finish();
}
