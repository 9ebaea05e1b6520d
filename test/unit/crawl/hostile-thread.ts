/** A page thread whose pages do what their paths say. Everything but the reading of pages is the real thing. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Claim } from '../../../src/contracts/crawl-task.ts';
import type { VisitSigns } from '../../../src/crawl/visit/page-request.ts';
import type { PageWork } from '../../../src/crawl/visit/page-work.ts';
import { PageThread, type ThreadData } from '../../../src/crawl/workers/page-thread-server.ts';

const DONE: PageWork = { kind: 'awaiting-robots' };

async function work(claim: Claim, { onAnswered, onRead }: VisitSigns): Promise<PageWork> {
  const path = new URL(claim.task.url).pathname;
  if (path === '/waits') return new Promise(() => {});
  // What comes in one message begins together, like answers that arrive together.
  await new Promise(setImmediate);
  onAnswered?.(claim);
  onRead?.(claim);
  if (path === '/busy') for (;;);
  // To whoever watches the thread it is the same, and it takes no processor time.
  if (path === '/hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (path === '/exit') process.exit(7);
  if (path === '/throw') setImmediate(() => JSON.parse('{'));
  if (path === '/memory') {
    // In large pieces: small ones would keep the collector busy for seconds.
    const hoard: object[] = [];
    for (;;) hoard.push(new Array(50_000).fill(hoard.length));
  }
  if (path === '/throw') return new Promise(() => {});
  return DONE;
}

const data = workerData as ThreadData;
if (data.folder === 'broken') throw new Error('cannot begin');
if (parentPort !== null) {
  new PageThread(parentPort, data, (_, signs) => ({
    worker: { work: (claim) => work(claim, signs) },
    addressOf: async (host) => (host.startsWith('slow') ? new Promise(() => {}) : '192.0.2.1'),
    [Symbol.asyncDispose]: async () => {},
  }));
}
