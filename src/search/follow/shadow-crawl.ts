import type { Clock } from '../../base/clock.ts';
import type { FollowReport } from './follow-crawl.ts';
import { openIndexOf } from './open-index.ts';
import { rebuildIndex } from './rebuild-index.ts';

export interface ShadowOptions {
  readonly clock: Clock;
  /** Time from one switch to the beginning of the next shadow, ms. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Told after each switch. */
  readonly onProgress?: (documents: number) => void;
}

/**
 * Keeps the index as it is while pages change, and now and then replaces it as a whole by one made beside it: whoever
 * searches sees all pages of one time together. The last one is made when the crawl ends.
 */
export async function shadowCrawl(folder: string, options: ShadowOptions): Promise<FollowReport> {
  const { clock, everyMs, signal, onProgress } = options;
  let documents = 0;
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal);
    ({ documents } = await rebuildIndex(folder, clock));
    onProgress?.(documents);
  }
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  return { documents, refreshed: 0, total: snapshot.documents };
}
