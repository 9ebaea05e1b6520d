import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedItem } from './feed-item.ts';

/** Lines taken at a time: what a flood leaves waits in the file. */
const MOST_BYTES = 1 << 20;
/** A file that was read to its end is begun anew beyond this size. */
const TURN_BYTES = 8 << 20;
/** What nobody reads must not fill the disk. */
const FULL_BYTES = 64 << 20;

/** Somebody says that a page is new or has changed. */
export interface PushedWord {
  readonly url: string;
  /** It is an item of this topic's feed. */
  readonly topic?: string;
  readonly item?: FeedItem;
  /** There is something new in this topic, without saying what. */
  readonly poll?: boolean;
}

export function pushInboxPath(folder: string): string {
  return join(folder, 'push.jsonl');
}

/** Leaves word that pages are new or have changed; a crawl of the folder, now or later, looks at them. */
export async function leaveWord(folder: string, urls: readonly string[], at: number): Promise<void> {
  await leaveWords(
    folder,
    urls.map((url) => ({ url })),
    at,
  );
}

/** The same for words of every kind. In one write, so that lines of several processes do not mix. */
export async function leaveWords(folder: string, words: readonly PushedWord[], at: number): Promise<void> {
  const lines = words.map((word) => `${JSON.stringify({ at: new Date(at).toISOString(), ...word })}\n`);
  await appendFile(pushInboxPath(folder), lines.join(''));
}

/** Whether so much waits that no more should be taken from strangers. */
export function isInboxFull(folder: string): boolean {
  return (statSync(pushInboxPath(folder), { throwIfNoEntry: false })?.size ?? 0) > FULL_BYTES;
}

/** Reads what was left since: from a place in the file that is remembered with the crawl. */
export class PushInbox {
  readonly #path: string;
  readonly #write: (place: number) => void;
  readonly #turnBytes: number;
  #place: number;
  /** Where the reading of the file before ended. */
  #oldPlace: number | undefined;

  constructor(folder: string, place: number, write: (place: number) => void, turnBytes = TURN_BYTES) {
    this.#path = pushInboxPath(folder);
    this.#place = place;
    this.#write = write;
    this.#turnBytes = turnBytes;
  }

  /** What was not told before, each thing once; lines that cannot be read are passed over. */
  take(): PushedWord[] {
    const late = this.#finishOld();
    const { text, size } = read(this.#path, this.#place);
    // Somebody has begun the file anew.
    if (size < this.#place) this.#moveTo(0);
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) this.#moveTo(this.#place + end);
    else if (size === this.#place && size > this.#turnBytes) this.#turnOver();
    const lines = Buffer.from(late + text.slice(0, end), 'latin1').toString('utf8');
    return lines === '' ? [] : [...new Set(lines.split('\n'))].flatMap(wordOf);
  }

  /** Whoever has just opened the old file may still write to it: its end is read at the next turn. */
  #turnOver(): void {
    renameSync(this.#path, `${this.#path}.old`);
    this.#oldPlace = this.#place;
    this.#moveTo(0);
  }

  #finishOld(): string {
    if (this.#oldPlace === undefined) return '';
    const { text } = read(`${this.#path}.old`, this.#oldPlace);
    this.#oldPlace = undefined;
    rmSync(`${this.#path}.old`, { force: true });
    return text.slice(0, text.lastIndexOf('\n') + 1);
  }

  #moveTo(place: number): void {
    this.#place = place;
    this.#write(place);
  }
}

/** In latin1, a character per byte: a line may have been cut within a letter. */
function read(path: string, place: number): { readonly text: string; readonly size: number } {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return { text: '', size: 0 };
  }
  try {
    const { size } = fstatSync(file);
    if (size <= place) return { text: '', size };
    const buffer = Buffer.alloc(Math.min(MOST_BYTES, size - place));
    return { text: buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, place)), size };
  } finally {
    closeSync(file);
  }
}

function wordOf(line: string): PushedWord[] {
  try {
    const { url, topic, item, poll } = JSON.parse(line) as Record<string, unknown>;
    if (typeof url !== 'string') return [];
    if (poll === true) return [{ url, poll }];
    return typeof topic === 'string' && isItem(item) ? [{ url, topic, item }] : [{ url }];
  } catch {
    return [];
  }
}

function isItem(value: unknown): value is FeedItem {
  const { mark, date } = (value ?? {}) as Record<string, unknown>;
  const isMark = typeof mark === 'number' && Number.isInteger(mark) && mark >= 0 && mark <= 0xffff_ffff;
  return isMark && (date === undefined || (typeof date === 'number' && Number.isFinite(date)));
}
