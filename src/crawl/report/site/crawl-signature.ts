import { statSync } from 'node:fs';
import { join } from 'node:path';

/** What a report is made from; each with its log. */
const FILES = ['state.db', 'state.db-wal', 'index/links/links.db', 'index/links/links.db-wal'];

/** Two writes this close may leave the same time of change. */
const UNSURE_MS = 2000;

/**
 * Tells whether a crawl is as it was, without reading it: sizes and times of its files. Undefined where one was changed so lately that
 * the next change may not show.
 */
export function crawlSignature(folder: string, now: number): string | undefined {
  const parts = FILES.map((file) => {
    const found = statSync(join(folder, file), { throwIfNoEntry: false });
    // A log that is empty is as good as none: who only reads may leave one.
    return found === undefined || found.size === 0 ? undefined : { size: found.size, at: found.mtimeMs };
  });
  if (parts.some((part) => part !== undefined && Math.abs(now - part.at) < UNSURE_MS)) return undefined;
  return parts.map((part) => (part === undefined ? '-' : `${part.size}.${part.at}`)).join(' ');
}
