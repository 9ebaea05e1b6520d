import { Worker } from 'node:worker_threads';
import { type ErrorCode, OrbweaverError } from '../../base/errors.ts';
import type { SinkReport } from './follow-into-opensearch.ts';
import type { OpenSearchAccess } from './opensearch-client.ts';
import type { SinkNotice, SinkOrder } from './sink-thread.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './sink-thread.ts' : './sink-thread.js', import.meta.url);

/** Documents being sent beside a crawl, which nothing here holds up or ends. */
export interface RunningSink {
  /** 'finish' sends all that was settled, and compares the index with the crawl; 'pause' ends within seconds. Never rejects. */
  stop(how: 'finish' | 'pause'): Promise<void>;
  /** Set when nothing more can be sent. */
  readonly fault: OrbweaverError | undefined;
  /** What the end brought; undefined before, and after a fault. */
  readonly report: SinkReport | undefined;
}

/** Sends the documents of a folder in a thread of its own. The folder's state must be there. */
export function startSink(folder: string, access: OpenSearchAccess, onTrouble: (message: string) => void): RunningSink {
  const worker = new Worker(THREAD, { workerData: { folder, access } });
  // A crawl that has ended is not kept waiting by whoever forgot to stop this.
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.on('exit', () => resolve()));
  const running: { -readonly [Key in keyof RunningSink]: RunningSink[Key] } = {
    fault: undefined,
    report: undefined,
    async stop(kind) {
      worker.ref();
      worker.postMessage({ kind } satisfies SinkOrder);
      await ended;
    },
  };
  worker.on('message', (notice: SinkNotice) => {
    if (notice.kind === 'trouble') onTrouble(notice.message);
    else if (notice.kind === 'ended') running.report = notice.report;
    else {
      const { code, message, remedy } = notice;
      running.fault = new OrbweaverError(code as ErrorCode, message, remedy === undefined ? {} : { remedy });
      onTrouble(message);
    }
  });
  worker.on('error', (cause) => {
    running.fault ??= new OrbweaverError('INTERNAL', `Documents could not be sent (${cause.message}).`, { cause });
  });
  return running;
}
