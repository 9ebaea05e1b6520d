/** The body of the thread that sorts hosts. Started by threaded-host-directory.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import type { HostListPage, HostQuery } from '../../contracts/state/host-directory.ts';
import { FolderHostDirectory } from './host-directory.ts';

export interface DirectoryRequest {
  readonly id: number;
  readonly query: HostQuery;
}

export type DirectoryAnswer =
  | { readonly id: number; readonly page: HostListPage }
  | { readonly id: number; readonly error: string };

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The host directory was started as a program.');
const directory = new FolderHostDirectory((workerData as { readonly folder: string }).folder);
port.on('message', (message: DirectoryRequest | 'close') => {
  if (message === 'close') {
    directory[Symbol.dispose]();
    port.close();
    return;
  }
  const { id, query } = message;
  try {
    port.postMessage({ id, page: directory.list(query) } satisfies DirectoryAnswer);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    port.postMessage({ id, error: text } satisfies DirectoryAnswer);
  }
});
