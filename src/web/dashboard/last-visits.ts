import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { cdxjOf } from '../../archive/archive-file-name.ts';
import { parseCdxj } from '../../archive/cdxj/cdxj-line.ts';
import type { LastVisit } from './crawl-watch.ts';

/** The last lines of a list of visits hold enough of them; however long the list is. */
const TAIL_BYTES = 32 * 1024;

/** The visits that were archived last, newest first; read from the end of the newest file's list. */
export function lastVisits(
  folder: string,
  file: { readonly name: string; readonly indexEnd: number } | undefined,
  limit: number,
): LastVisit[] {
  if (file === undefined) return [];
  // The first line may be cut; it cannot be read then.
  const lines = tailOf(join(folder, cdxjOf(file.name)), file.indexEnd).split('\n');
  const visits: LastVisit[] = [];
  for (let at = lines.length - 1; at >= 0 && visits.length < limit; at--) {
    const capture = parseCdxj(lines[at]);
    if (capture === undefined || capture.url.endsWith('/robots.txt')) continue;
    const { url, date, status, mime, length } = capture;
    visits.push({ url, at: date, status, mediaType: mime, bytes: length });
  }
  return visits;
}

function tailOf(path: string, settled: number): string {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    // Moved away, or not there yet: there is nothing to show.
    return '';
  }
  try {
    const end = Math.min(fstatSync(fd).size, settled);
    const bytes = Buffer.alloc(Math.max(0, Math.min(TAIL_BYTES, end)));
    const read = readSync(fd, bytes, 0, bytes.length, end - bytes.length);
    return bytes.toString('utf8', 0, read);
  } finally {
    closeSync(fd);
  }
}
