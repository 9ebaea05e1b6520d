import type { HostDirectory } from '../contracts/state/host-directory.ts';
import { ThreadedHostDirectory } from './directory/threaded-host-directory.ts';

/** All hosts of the crawl in a folder, sorted and searched; also beside a running crawl. */
export function openHostDirectory(folder: string): HostDirectory {
  return new ThreadedHostDirectory(folder);
}
