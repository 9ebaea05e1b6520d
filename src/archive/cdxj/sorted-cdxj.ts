import { type ArchiveBytes, openLocalBytes } from '../shipping/archive-bytes.ts';
import { lineAt } from './line-at.ts';

/** Below this the rest is read in one go. */
const LAST_STRETCH = 16 * 1024;

/** The lines of a sorted index that begin with the key, found by halving: a handful of short reads. */
export async function searchSortedCdxj(path: string, surt: string): Promise<string[]> {
  const file = await openLocalBytes(path);
  try {
    return await searchSortedLines(file, surt);
  } finally {
    await file.close();
  }
}

/** The same, wherever the index lies. */
export async function searchSortedLines(file: Pick<ArchiveBytes, 'read' | 'size'>, surt: string): Promise<string[]> {
  const wanted = `${surt} `;
  let at = await startOf(file, wanted);
  const found: string[] = [];
  for (;;) {
    const line = await lineAt(file, at);
    if (line === undefined || (line > wanted && !line.startsWith(wanted))) return found;
    if (line.startsWith(wanted)) found.push(line);
    at += line.length + 1;
  }
}

/** A line start at or before the first line that is not smaller than `wanted`, and not far before it. */
async function startOf(file: Pick<ArchiveBytes, 'read' | 'size'>, wanted: string): Promise<number> {
  let low = 0;
  let high = file.size();
  // Invariant: a line starts at `low`, it is 0 or its line is smaller than wanted; no line that starts at or after `high` is.
  while (high - low > LAST_STRETCH) {
    const middle = Math.floor((low + high) / 2);
    const partial = await lineAt(file, middle);
    const start = partial === undefined ? high : middle + partial.length + 1;
    const line = start >= high ? undefined : await lineAt(file, start);
    if (line !== undefined && line < wanted) low = start;
    else high = middle;
  }
  return low;
}
