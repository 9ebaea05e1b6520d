/** The body of a thread that searches. Started by search/threads/search-threads.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import { loadPlugins } from '../../plugins/load-plugins.ts';
import { openSearcher } from '../open-searcher.ts';
import type { Searcher } from '../searcher.ts';
import type { FromSearchThread, SearchJob, SearchThreadData, SentFault, ToSearchThread } from './thread-messages.ts';

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The search thread was started as a program.');
const { folder, also = [], remote, cacheBytes, cancelled, plugins = [] } = workerData as SearchThreadData;
const tell = (message: FromSearchThread): void => port.postMessage(message);

const searcher = await open().catch((error) => {
  tell({ kind: 'unopened', fault: sentFault(error) });
  return undefined;
});
if (searcher === undefined) port.close();
else {
  port.on('message', (message: ToSearchThread) => {
    if ('job' in message) void answer(searcher, message.number, message.job);
    else void searcher[Symbol.asyncDispose]().finally(() => port.close());
  });
  tell({ kind: 'ready' });
}

async function open(): Promise<Searcher> {
  const loaded = await loadPlugins(plugins, { folder, userAgent: '' });
  return openSearcher(folder, { also, cacheBytes, plugins: loaded, ...(remote === undefined ? {} : { remote }) });
}

async function answer(searcher: Searcher, number: number, job: SearchJob): Promise<void> {
  const cancellation = {
    get aborted() {
      return Atomics.load(cancelled, 0) === number;
    },
  };
  try {
    const answer = await work(searcher, job, cancellation);
    // An answer of a search is many small objects: one text is copied from thread to thread sooner.
    if (job.kind === 'search') tell({ kind: 'written', number, json: JSON.stringify(answer) });
    else tell({ kind: 'answer', number, answer });
  } catch (error) {
    tell({ kind: 'fault', number, fault: sentFault(error) });
  }
}

async function work(searcher: Searcher, job: SearchJob, cancellation: { readonly aborted: boolean }): Promise<unknown> {
  switch (job.kind) {
    case 'search':
      return await searcher.search(job.request, cancellation);
    case 'complete':
      return await searcher.complete(job.typed, job.limit);
    case 'explain':
      return await searcher.explainScore(job.query, job.id);
    case 'indexed-at':
      return await searcher.indexedAt(job.id);
    case 'documents':
      return searcher.documents;
  }
}

function sentFault(error: unknown): SentFault {
  if (!(error instanceof OrbweaverError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { code: 'INTERNAL', message: text };
  }
  const { code, message, remedy } = error;
  return { code, message, ...(remedy === undefined ? {} : { remedy }) };
}
