import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CanonicalUrl } from '../contracts/url.ts';

/** Lines taken at a time: what a flood leaves waits in the file. */
const MOST_BYTES = 1 << 20;

export function pushInboxPath(folder: string): string {
  return join(folder, 'push.jsonl');
}

/** Leaves word that pages are new or have changed; a crawl of the folder, now or later, looks at them. One line, in one write. */
export async function leaveWord(folder: string, urls: readonly string[], at: number): Promise<void> {
  const lines = urls.map((url) => `${JSON.stringify({ at: new Date(at).toISOString(), url })}\n`);
  await appendFile(pushInboxPath(folder), lines.join(''));
}

/** Reads what was left since: from a place in the file that is remembered with the crawl. */
export class PushInbox {
  readonly #path: string;
  readonly #write: (place: number) => void;
  #place: number;

  constructor(folder: string, place: number, write: (place: number) => void) {
    this.#path = pushInboxPath(folder);
    this.#place = place;
    this.#write = write;
  }

  /** URLs that were not told before, each once; lines that cannot be read are passed over. */
  take(): CanonicalUrl[] {
    const text = this.#read();
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0) return [];
    this.#place += Buffer.byteLength(text.slice(0, end), 'latin1');
    this.#write(this.#place);
    const lines = Buffer.from(text.slice(0, end), 'latin1').toString('utf8').split('\n');
    return [...new Set(lines.flatMap(urlOf))];
  }

  /** In latin1, a character per byte: a line may have been cut within a letter. */
  #read(): string {
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch {
      return '';
    }
    try {
      const { size } = fstatSync(file);
      // Somebody has begun the file anew.
      if (size < this.#place) this.#place = 0;
      const buffer = Buffer.alloc(Math.min(MOST_BYTES, size - this.#place));
      return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, this.#place));
    } finally {
      closeSync(file);
    }
  }
}

function urlOf(line: string): CanonicalUrl[] {
  try {
    const { url } = JSON.parse(line) as { url?: unknown };
    return typeof url === 'string' ? [url as CanonicalUrl] : [];
  } catch {
    return [];
  }
}
