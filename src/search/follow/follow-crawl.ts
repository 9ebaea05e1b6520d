import { type Clock, systemClock } from '../../base/clock.ts';
import { LinkStore } from '../../engines/links/link-store.ts';
import { ArchiveFollower } from './archive-follower.ts';
import { openIndexOf } from './open-index.ts';

/** How soon after it was settled a page is looked for. */
const LOOK_MS = 500;
const STEP = 1000;

export interface FollowOptions {
  readonly clock?: Clock;
  /** Told after each step that took something, and once at the end. */
  readonly onProgress?: (documents: number) => void;
  /** 'catch-up': ends when everything settled is in the index. 'until-stopped': goes on until the signal. */
  readonly mode: 'catch-up' | 'until-stopped';
  readonly signal?: AbortSignal;
}

export interface FollowReport {
  /** Taken into the index. */
  readonly documents: number;
  /** Indexed again at the end, for their ranks and anchors. */
  readonly refreshed: number;
  /** That can be found now. */
  readonly total: number;
}

/** Brings the index of a crawl up to date, and keeps it so where that is asked for. At the end ranks are computed. */
export async function followCrawl(folder: string, options: FollowOptions): Promise<FollowReport> {
  const { clock = systemClock, signal, mode, onProgress } = options;
  await using opened = await openIndexOf(folder);
  const { index } = opened;
  using links = new LinkStore(folder);
  using follower = new ArchiveFollower({ folder, index, links, clock });
  let documents = 0;
  for (;;) {
    const step = await follower.step(STEP);
    documents += step.documents;
    if (step.documents > 0) onProgress?.(documents);
    if (signal?.aborted === true || (step.caughtUp && mode === 'catch-up')) break;
    if (step.caughtUp) await clock.sleep(LOOK_MS, signal);
  }
  const refreshed = await follower.finish();
  using snapshot = index.snapshot();
  return { documents, refreshed, total: snapshot.documents };
}
