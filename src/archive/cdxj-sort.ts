import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cdxjOf, sortedCdxjOf } from './archive-file-name.ts';

/**
 * Writes the sorted copy of a WARC's index, for look-ups by halving. The index itself stays in write order for ever, so
 * that a restart can cut it at the length it had when a page was settled. The copy is good when it is as long as the
 * index: sorting does not change the length, and cutting always does.
 */
export async function sortCdxj(folder: string, file: string): Promise<void> {
  const lines = (await readFile(join(folder, cdxjOf(file)), 'latin1')).split('\n');
  // What follows the last line feed is empty, or the beginning of a line that is still being written.
  lines.pop();
  // One character per byte: the order of characters is the order of bytes, as other tools expect.
  lines.sort();
  const target = join(folder, sortedCdxjOf(file));
  const draft = `${target}.tmp`;
  const handle = await open(draft, 'w');
  try {
    await handle.writeFile(lines.length === 0 ? '' : `${lines.join('\n')}\n`, 'latin1');
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(draft, target);
}

export async function hasSortedCdxj(folder: string, file: string): Promise<boolean> {
  const [index, sorted] = await Promise.all([
    fileLength(join(folder, cdxjOf(file))),
    fileLength(join(folder, sortedCdxjOf(file))),
  ]);
  return index !== undefined && index === sorted;
}

export async function removeSortedCdxj(folder: string, file: string): Promise<void> {
  await rm(join(folder, sortedCdxjOf(file)), { force: true });
}

/** Undefined when there is no such file. */
export async function fileLength(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
