/** The body of the thread that makes a report beside a server. Started by crawl/report/site/folder-report.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../../base/errors.ts';
import { knownStorageError } from '../../../engines/storage-error.ts';
import type { ReportProgress } from './build-report.ts';
import { makeReport } from './make-report.ts';

export type ReportNotice =
  | { readonly kind: 'progress'; readonly progress: ReportProgress }
  | { readonly kind: 'made' }
  | { readonly kind: 'fault'; readonly code: string; readonly message: string; readonly remedy?: string };

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The report thread was started as a program.');
const tell = (notice: ReportNotice): void => port.postMessage(notice);
const { folder } = workerData as { readonly folder: string };
try {
  makeReport(folder, (progress) => tell({ kind: 'progress', progress }));
  tell({ kind: 'made' });
} catch (error) {
  const known = knownStorageError(error, folder);
  const { code, message } = known ?? { code: 'INTERNAL', message: (error as Error).stack ?? String(error) };
  tell({ kind: 'fault', code, message, ...(known?.remedy === undefined ? {} : { remedy: known.remedy }) });
}
port.close();
