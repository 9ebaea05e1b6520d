import { join } from 'node:path';

/** One crawl is one folder; these are the places of its index. */
export function indexFolder(folder: string): string {
  return join(folder, 'index');
}
