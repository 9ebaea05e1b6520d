import { type Clock, systemClock } from '../../base/clock.ts';
import { type BulkCounts, BulkSender } from './bulk-sender.ts';
import { type OpenSearchAccess, OpenSearchClient } from './opensearch-client.ts';
import { Patience } from './patience.ts';
import { SinkFollower } from './sink-follower.ts';
import { SinkPlaceKeeper } from './sink-place.ts';

export interface SinkOptions {
  readonly access: OpenSearchAccess;
  /** 'catch-up': ends when everything settled has been sent. 'until-stopped': goes on until one of the signals. */
  readonly mode: 'catch-up' | 'until-stopped';
  /** The crawl is over: sends what is left, and compares the index with the crawl. */
  readonly finish?: AbortSignal;
  /** Ends within seconds: another run goes on. */
  readonly pause?: AbortSignal;
  /** Sends everything, whatever was sent before. */
  readonly again?: boolean;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly onProgress?: (counts: BulkCounts) => void;
  /** Told when the server fails and when it is back, and of documents that it will not have. */
  readonly onTrouble?: (message: string) => void;
  /** For tests: smaller than a server would like. */
  readonly mostBytes?: number;
  readonly patienceMs?: number;
}

export interface SinkReport extends BulkCounts {
  /** That the server will not have; the next run tries again. */
  readonly rejected: number;
  readonly caughtUp: boolean;
}

const LOOK_MS = 1000;
const STEP = 1000;
const PAUSE_MS = 2000;
/** Pages that left without a visit of theirs leave the index so soon. */
const COMPARE_MS = 3_600_000;
/** A server that is away for longer is left to the next run, where somebody waits for the end. */
const PATIENCE_MS = 60_000;

/** Sends what a crawl has stored to an index of an OpenSearch or Elasticsearch server, and goes on doing so where that is asked for. */
export async function followIntoOpenSearch(folder: string, options: SinkOptions): Promise<SinkReport> {
  const { access, mode, finish, pause, clock = systemClock, random = Math.random, onTrouble } = options;
  const isPausing = (): boolean => pause?.aborted === true;
  const isFinishing = (): boolean => mode === 'catch-up' || finish?.aborted === true;
  const ended = AbortSignal.any([finish, pause].filter((either) => either !== undefined));
  using keeper = new SinkPlaceKeeper(folder, access.url);
  if (options.again === true) keeper.write({ archive: {} });
  const late = new AbortController();
  const beLate = (): void => void setTimeout(() => late.abort(), PAUSE_MS).unref();
  if (isPausing()) beLate();
  else pause?.addEventListener('abort', beLate, { once: true });
  await using client = new OpenSearchClient(access, { signal: late.signal });
  const patience = new Patience({
    ...{ clock, random, signal: ended, ...(onTrouble === undefined ? {} : { onTrouble }) },
    forMs: () => (isPausing() ? 0 : isFinishing() ? (options.patienceMs ?? PATIENCE_MS) : Number.POSITIVE_INFINITY),
  });
  const { mostBytes } = options;
  const sender = new BulkSender({ client, patience, ...(mostBytes === undefined ? {} : { mostBytes }) });
  using follower = new SinkFollower({
    ...{ folder, client, sender, patience, keeper },
    onRejected: (url, why) => onTrouble?.(`${url} was not taken: ${why}`),
  });
  let caughtUp = false;
  try {
    await follower.begin();
    let comparedAt = clock.now();
    for (;;) {
      // Asked before the step: all that was settled by then is sent by it.
      const isLast = isFinishing() || isPausing();
      caughtUp = await follower.step(STEP, () => late.signal.aborted);
      options.onProgress?.(sender.counts);
      if (caughtUp && isLast) break;
      if (late.signal.aborted) break;
      if (caughtUp && clock.now() - comparedAt >= COMPARE_MS) {
        await follower.removeStale();
        comparedAt = clock.now();
      }
      if (caughtUp) await clock.sleep(LOOK_MS, ended);
    }
    if (!isPausing()) await follower.removeStale();
  } catch (error) {
    if (!isPausing()) throw error;
    caughtUp = false;
  }
  return { ...sender.counts, rejected: follower.rejected, caughtUp };
}
