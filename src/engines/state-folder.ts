import { existsSync } from 'node:fs';
import { statePath } from './sqlite/state-database.ts';

export { requireCrawl } from './sqlite/state-database.ts';

/** Whether a crawl has left its state in a folder. */
export function hasState(folder: string): boolean {
  return existsSync(statePath(folder));
}
