import { join } from 'node:path';

/** One crawl is one folder; these are the places in it. */
export function archiveFolder(folder: string): string {
  return join(folder, 'archive');
}

export function settingsPath(folder: string): string {
  return join(folder, 'orbweaver.yaml');
}
