import type { Clock } from '../../base/clock.ts';
import type { FollowReport } from './follow-crawl.ts';
import { type LastSwitch, lastSwitch, noteSwitch } from './last-switch.ts';
import { openIndexOf } from './open-index.ts';
import { rebuildIndex } from './rebuild-index.ts';

export interface ShadowOptions {
  readonly clock: Clock;
  /** Longest time from one switch to the beginning of the next shadow, ms. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Ends it without a last index: the run that goes on makes the next one. */
  readonly pause?: AbortSignal;
  /** Told after each switch. */
  readonly onProgress?: (documents: number) => void;
}

/** From the first switch to the second; each further wait is twice as long, up to `everyMs`. */
const FIRST_WAIT_MS = 1000;
/** While there is no page yet, it is looked for so often. */
const EMPTY_WAIT_MS = 10_000;
/** Making shadows takes at most one part of this many of the time, as long as `everyMs` allows. */
const MAKING_SHARE = 10;

/**
 * Keeps the index as it is while pages change, and now and then replaces it as a whole by one made beside it: whoever
 * searches sees all pages of one time together. A young crawl gets its first index at once, and others soon after. The
 * last one is made when the crawl ends. When the next is due is kept on disk: a crawl that is cut off and started again does
 * not wait again.
 */
export async function shadowCrawl(folder: string, options: ShadowOptions): Promise<FollowReport> {
  const { clock, everyMs, signal, pause, onProgress } = options;
  const ended = pause === undefined ? signal : AbortSignal.any([signal, pause]);
  for (;;) {
    const before = lastSwitch(folder);
    await clock.sleep(untilNext(before, everyMs, clock.now()), ended);
    if (pause?.aborted === true && before !== undefined) return { ...(await committed(folder)), caughtUp: false };
    // Asked before it is made: what was settled by the end of the crawl is in the last one.
    const isLast = signal.aborted;
    const begun = clock.now();
    const { documents } = await rebuildIndex(folder, clock);
    const at = clock.now();
    noteSwitch(folder, { at, waitMs: nextWait(before, documents, at - begun, everyMs) });
    onProgress?.(documents);
    if (!isLast) continue;
    return { ...(await committed(folder)), caughtUp: true };
  }
}

async function committed(folder: string): Promise<Omit<FollowReport, 'caughtUp'>> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  return { documents: snapshot.documents, refreshed: 0, total: snapshot.documents, ...opened.index.work };
}

/** Never more than was meant at the switch, though the clock of the machine may have been set back since. */
function untilNext(before: LastSwitch | undefined, everyMs: number, now: number): number {
  if (before === undefined) return 0;
  const waitMs = Math.min(before.waitMs, everyMs);
  return Math.min(waitMs, Math.max(0, before.at + waitMs - now));
}

function nextWait(before: LastSwitch | undefined, documents: number, tookMs: number, everyMs: number): number {
  const doubled = before === undefined ? FIRST_WAIT_MS : 2 * before.waitMs;
  const wait = documents === 0 ? Math.min(doubled, EMPTY_WAIT_MS) : doubled;
  return Math.min(everyMs, Math.max(wait, MAKING_SHARE * tookMs));
}
