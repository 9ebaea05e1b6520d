import { type Clock, systemClock } from '../../base/clock.ts';
import type { IndexWork } from '../../contracts/search-index.ts';
import { openLinks } from '../../engines/open-links.ts';
import { ArchiveFollower } from './archive-follower.ts';
import type { HandedVisits } from './handed/handed-visits.ts';
import { hasMedia, wantMedia } from './index-folder.ts';
import type { FollowedMedia } from './media/open-media.ts';
import { openIndexOf } from './open-index.ts';

/**
 * How soon after it was settled a page is looked for. Every look that finds some ends with a commit, whose price is by its words
 * and hardly by how often they occur: one of a second costs little more than one of half a second.
 */
const LOOK_MS = 1000;
const STEP = 1000;
/** What was settled last is in the index within this time, or the next run takes it. */
const PAUSE_MS = 2000;

export interface FollowOptions {
  readonly clock?: Clock;
  /** Told after each step that took something, and once at the end. */
  readonly onProgress?: (documents: number, work: IndexWork) => void;
  /** 'catch-up': ends when everything settled is in the index. 'until-stopped': goes on until the signal. */
  readonly mode: 'catch-up' | 'until-stopped';
  readonly signal?: AbortSignal;
  /** Ends it, too, but for a crawl that goes on later: ranks, and pages that take longer, are left to the run that goes on. */
  readonly pause?: AbortSignal;
  /** Describes the pictures of pages, too; they are anyway where they were before. */
  readonly media?: boolean;
  /** By the crawl that is followed. */
  readonly handed?: HandedVisits;
}

export interface FollowReport extends IndexWork {
  /** Taken into the index. */
  readonly documents: number;
  /** Refreshed at the end, for their ranks and anchors. */
  readonly refreshed: number;
  /** That can be found now. */
  readonly total: number;
  /** All that was settled is in the index. */
  readonly caughtUp: boolean;
}

/** Brings the index of a crawl up to date, and keeps it so where that is asked for. At the end ranks are computed. */
export async function followCrawl(folder: string, options: FollowOptions): Promise<FollowReport> {
  const { clock = systemClock, signal, pause, mode, onProgress, handed } = options;
  await using opened = await openIndexOf(folder);
  const { index } = opened;
  using links = openLinks(folder);
  using follower = new ArchiveFollower({ folder, index, links, clock, ...(handed === undefined ? {} : { handed }) });
  if (options.media === true) wantMedia(folder);
  await using media = hasMedia(folder) ? await openMediaOf(folder, clock) : undefined;
  const ended = AbortSignal.any([signal, pause].filter((either) => either !== undefined));
  const isPausing = (): boolean => pause?.aborted === true;
  let leaveBy: number | undefined;
  const isOver = (): boolean => {
    if (!isPausing()) return false;
    leaveBy ??= clock.now() + PAUSE_MS;
    return clock.now() >= leaveBy;
  };
  const isEnding = (): boolean => signal?.aborted === true || isOver();
  let documents = 0;
  let caughtUp = false;
  while (signal?.aborted !== true && !isOver()) {
    // Asked before the step: all that was settled by then is taken by it.
    const isLast = mode === 'catch-up' || isPausing();
    const step = await follower.step(STEP, isOver);
    const described = await media?.follower.step(STEP, isOver);
    documents += step.documents;
    caughtUp = step.caughtUp && described?.caughtUp !== false;
    if (step.documents > 0) onProgress?.(documents, index.work);
    if (caughtUp && isLast) break;
    if (!caughtUp) continue;
    const due = follower.nextPreparation();
    if (due === undefined) await clock.sleep(LOOK_MS, ended);
    else await follower.prepareEnd(isEnding, due);
  }
  if (isPausing()) {
    await follower.pause();
    await media?.follower.commit();
  } else await media?.follower.finish();
  const refreshed = isPausing() ? 0 : await follower.finish();
  using snapshot = index.snapshot();
  return {
    ...{ documents, refreshed, total: snapshot.documents, caughtUp: caughtUp || !isPausing() },
    ...index.work,
  };
}

/** Loaded where pictures are described: it brings along all that reads pages. */
async function openMediaOf(folder: string, clock: Clock): Promise<FollowedMedia> {
  const { openMedia } = await import('./media/open-media.ts');
  return await openMedia(folder, clock);
}
