/** The body of the thread that fills the index beside a crawl. Started by search/indexing/start-following.ts. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { IndexWork } from '../../contracts/search-index.ts';
import { knownStorageError } from '../../engines/storage-error.ts';
import type { FollowReport } from './follow-crawl.ts';
import { HandedVisits } from './handed/handed-visits.ts';

export interface FollowThreadData {
  readonly folder: string;
  /** Instead of following: a new index every this many ms, switched at once. */
  readonly shadowEveryMs?: number;
  /** Describes the pictures of pages, too. */
  readonly media?: boolean;
  /** Of the crawl that is followed, where its page threads hand over what they read; see `HandOverEnd`. */
  readonly waiting?: SharedArrayBuffer;
}

/** To the thread. */
export type FollowOrder =
  | { readonly kind: 'finish' | 'pause' }
  /** There is one more page thread. */
  | { readonly kind: 'listen'; readonly port: MessagePort };

/** From the thread. */
export type FollowNotice =
  | { readonly kind: 'progress'; readonly documents: number; readonly work?: IndexWork }
  | ({ readonly kind: 'ended' } & FollowReport)
  | { readonly kind: 'fault'; readonly code: string; readonly message: string; readonly remedy?: string };

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The follow thread was started as a program.');
const { folder, shadowEveryMs, media = false, waiting } = workerData as FollowThreadData;
const finishing = new AbortController();
const pausing = new AbortController();
const tell = (notice: FollowNotice): void => port.postMessage(notice);
// Before all else is loaded: the first pages come meanwhile, and what is not heard has to be read from the archive.
const handed = waiting === undefined ? undefined : new HandedVisits(waiting);
port.on('message', (order: FollowOrder) => {
  if (order.kind === 'listen') handed?.listen(order.port);
  else if (order.kind === 'finish') finishing.abort();
  else pausing.abort();
});
try {
  const onProgress = (documents: number, work?: IndexWork): void =>
    tell({ kind: 'progress', documents, ...(work && { work }) });
  const ends = { signal: finishing.signal, pause: pausing.signal };
  const { renewOlderIndex } = await import('./renew-older-index.ts');
  const renewed = await renewOlderIndex(folder, systemClock, pausing.signal);
  if (renewed === 'paused')
    tell({
      kind: 'ended',
      documents: 0,
      refreshed: 0,
      total: 0,
      caughtUp: false,
      analysed: 0,
      bytesWritten: 0,
      merges: 0,
    });
  else if (shadowEveryMs === undefined) {
    const { followCrawl } = await import('./follow-crawl.ts');
    const from = handed === undefined ? {} : { handed };
    tell({
      kind: 'ended',
      ...(await followCrawl(folder, { mode: 'until-stopped', media, ...ends, ...from, onProgress })),
    });
  } else {
    // What is rebuilt describes pictures where there is a folder for them.
    if (media) {
      const { wantMedia } = await import('./index-folder.ts');
      wantMedia(folder);
    }
    const { shadowCrawl } = await import('./shadow-crawl.ts');
    const how = { clock: systemClock, everyMs: shadowEveryMs, ...ends, onProgress };
    tell({ kind: 'ended', ...(await shadowCrawl(folder, how)) });
  }
} catch (error) {
  const { message } = error as Error;
  const known = knownStorageError(error, folder);
  if (known !== undefined) {
    const remedy = known.remedy === undefined ? {} : { remedy: known.remedy };
    tell({ kind: 'fault', code: known.code, message: known.message, ...remedy });
  } else tell({ kind: 'fault', code: 'INTERNAL', message: (error as Error).stack ?? message });
}
handed?.[Symbol.dispose]();
port.close();
