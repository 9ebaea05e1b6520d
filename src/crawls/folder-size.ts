import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderSize } from '../contracts/crawl-library.ts';

/** A crawl of a billion pages has fewer; a folder with more is not ours. */
const MOST_FILES = 20_000;

/** Bytes of the files of a folder and those below it. Links are not followed; what vanishes meanwhile counts as nothing. */
export async function folderSize(folder: string, mostFiles = MOST_FILES): Promise<FolderSize> {
  let bytes = 0;
  let files = 0;
  const folders = [folder];
  for (let place = folders.pop(); place !== undefined; place = folders.pop()) {
    const entries = await opendir(place).catch(() => undefined);
    if (entries === undefined) continue;
    for await (const entry of entries) {
      if (++files > mostFiles) return { bytes, atLeast: true };
      const path = join(place, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile())
        bytes += await lstat(path).then(
          ({ size }) => size,
          () => 0,
        );
    }
  }
  return { bytes, atLeast: false };
}
