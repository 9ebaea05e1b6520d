import { systemClock } from '../../base/clock.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { CommittedCount } from '../../index/store/committed-count.ts';
import { readManifest } from '../../index/store/manifest.ts';
import { NewestManifest } from '../../index/store/newest-manifest.ts';
import { FollowedPlace } from '../../search/indexing/followed-place.ts';
import { indexFolder } from '../../search/indexing/index-folder.ts';

/** The index of a crawl as its last commit has it. */
export interface IndexFigures {
  /** That can be found. */
  readonly documents: number;
  readonly segments: number;
  /** Settled bytes of the archive that it has not taken. */
  readonly lagBytes: number;
}

/** Reads the last commit without opening the index. Undefined where there is none yet, or it has an older form. */
export function readIndexFigures(folder: string, files: ReadonlyMap<string, SettledBytes>): IndexFigures | undefined {
  const place = indexFolder(folder);
  const newest = new NewestManifest(place, systemClock.now);
  const number = newest.number();
  if (number === 0) return undefined;
  try {
    const manifest = readManifest(place, number);
    const taken = new FollowedPlace(manifest.place);
    let lagBytes = 0;
    for (const [file, { fileEnd }] of files) lagBytes += Math.max(0, fileEnd - taken.of(file));
    const documents = new CommittedCount(place, newest).documents();
    return { documents, segments: manifest.segments.length, lagBytes };
  } catch {
    // A newer commit has taken its place meanwhile, or an older version wrote it: the next look tells.
    return undefined;
  }
}
