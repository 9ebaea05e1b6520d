import type { ControlStore } from '../contracts/crawl-control.ts';
import { SqliteControlStore } from './control/control-store.ts';

/** Opens the operations that were asked of the crawl in a folder; nothing is made before the first. */
export function openControl(folder: string): ControlStore {
  return new SqliteControlStore(folder);
}
