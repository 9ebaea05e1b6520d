/** The body of the thread that sends documents beside a crawl. Started by search/opensearch/start-sink.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import { knownStorageError } from '../../engines/storage-error.ts';
import { followIntoOpenSearch, type SinkReport } from './follow-into-opensearch.ts';
import type { OpenSearchAccess } from './opensearch-client.ts';

export interface SinkThreadData {
  readonly folder: string;
  readonly access: OpenSearchAccess;
}

/** To the thread. */
export interface SinkOrder {
  readonly kind: 'finish' | 'pause';
}

/** From the thread. */
export type SinkNotice =
  | { readonly kind: 'trouble'; readonly message: string }
  | { readonly kind: 'ended'; readonly report: SinkReport }
  | { readonly kind: 'fault'; readonly code: string; readonly message: string; readonly remedy?: string };

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The sink thread was started as a program.');
const { folder, access } = workerData as SinkThreadData;
const [finishing, pausing] = [new AbortController(), new AbortController()];
const tell = (notice: SinkNotice): void => port.postMessage(notice);
port.on('message', ({ kind }: SinkOrder) => (kind === 'finish' ? finishing : pausing).abort());
try {
  const report = await followIntoOpenSearch(folder, {
    ...{ access, mode: 'until-stopped', finish: finishing.signal, pause: pausing.signal },
    onTrouble: (message) => tell({ kind: 'trouble', message }),
  });
  tell({ kind: 'ended', report });
} catch (error) {
  const known = knownStorageError(error, folder);
  const { message, stack } = error as Error;
  if (known === undefined) tell({ kind: 'fault', code: 'INTERNAL', message: stack ?? message });
  else
    tell({
      ...{ kind: 'fault', code: known.code, message: known.message },
      ...(known.remedy === undefined ? {} : { remedy: known.remedy }),
    });
}
port.close();
