import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedItem } from '../revisits/feed-item.ts';

/** Lines taken at a time: what a flood leaves waits in the file. */
const MOST_BYTES = 1 << 20;
/** So much is written at once; a longer line by itself. */
const CHUNK_BYTES = 256 << 10;
const NEWLINE = 10;
/** A file that was read to its end is begun again beyond this size. */
const TURN_BYTES = 8 << 20;
/** What nobody reads must not fill the disk. */
const FULL_BYTES = 64 << 20;

/** Somebody says that a page is new or has changed. */
export interface PushedWord {
  readonly url: string;
  /** The site itself says so. Absent: the user does, who alone writes to the folder otherwise. */
  readonly by?: 'site';
  /** It is an item of this topic's feed. */
  readonly topic?: string;
  readonly item?: FeedItem;
  /** There is something new in this topic, without saying what. */
  readonly poll?: boolean;
  /** The server asks the host of this URL itself (see `BorrowedTurns`): the crawl lets it rest until then, ms. Nothing is new. */
  readonly restUntil?: number;
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

/** The same for every kind of message. Whole lines in single appends: those of several processes do not interleave. */
export async function leaveWords(folder: string, words: readonly PushedWord[], at: number): Promise<void> {
  const lines = words.map((word) => Buffer.from(`${JSON.stringify({ at: new Date(at).toISOString(), ...word })}\n`));
  await using file = await open(pushInboxPath(folder), 'a+');
  // Somebody has left a line without its end, by hand or on a disk that was full.
  let before = (await isCutOff(file)) ? '\n' : '';
  for (let next = 0; next < lines.length; ) {
    let end = next + 1;
    for (let size = lines[next].length; end < lines.length && size + lines[end].length <= CHUNK_BYTES; end++)
      size += lines[end].length;
    const chunk = Buffer.concat([Buffer.from(before), ...lines.slice(next, end)]);
    const { bytesWritten } = await file.write(chunk);
    let whole = before.length;
    while (next < end && whole + lines[next].length <= bytesWritten) whole += lines[next++].length;
    // A line of which only a part was taken is written again.
    before = next < end && bytesWritten !== whole ? '\n' : '';
  }
}

async function isCutOff(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEWLINE;
}

/** Whether so much waits that no more should be taken from strangers. */
export function isInboxFull(folder: string): boolean {
  return (statSync(pushInboxPath(folder), { throwIfNoEntry: false })?.size ?? 0) > FULL_BYTES;
}

/**
 * Reads what was left since: from a place in the file that is remembered with the crawl. The place moves when what was taken
 * is kept elsewhere (`settle`): whoever is killed in between takes the same once more.
 */
export class PushInbox {
  readonly #path: string;
  readonly #write: (place: number) => void;
  readonly #turnBytes: number;
  #place: number;
  /** Where the next place is, once what was taken is kept. */
  #taken: number;
  /** Where the reading of the file before ended. */
  #oldPlace: number | undefined;
  /** What was taken last has the end of that file. */
  #isLateRead = false;

  constructor(folder: string, place: number, write: (place: number) => void, turnBytes = TURN_BYTES) {
    this.#path = pushInboxPath(folder);
    this.#place = place;
    this.#taken = place;
    this.#write = write;
    this.#turnBytes = turnBytes;
  }

  /** What was not settled before, each thing once; lines that cannot be read are passed over. */
  take(): PushedWord[] {
    this.#isLateRead = this.#oldPlace !== undefined;
    const late = this.#oldPlace === undefined ? '' : read(`${this.#path}.old`, this.#oldPlace).text;
    const { text, size } = read(this.#path, this.#place);
    // Somebody has begun the file again.
    if (size < this.#place) this.#moveTo(0);
    else if (size === this.#place && size > this.#turnBytes && this.#oldPlace === undefined) this.#turnOver();
    // A line that does not end within what is read at a time is none, and would be in the way for ever.
    const end = text.length === MOST_BYTES && !text.includes('\n') ? MOST_BYTES : text.lastIndexOf('\n') + 1;
    this.#taken = this.#place + end;
    const whole = late.slice(0, late.lastIndexOf('\n') + 1) + text.slice(0, end);
    const lines = Buffer.from(whole, 'latin1').toString('utf8');
    return lines === '' ? [] : [...new Set(lines.split('\n'))].flatMap(wordOf);
  }

  /** What was taken last is kept elsewhere, and is not told again. */
  settle(): void {
    if (this.#isLateRead) {
      this.#oldPlace = undefined;
      rmSync(`${this.#path}.old`, { force: true });
    }
    if (this.#taken !== this.#place) this.#moveTo(this.#taken);
  }

  /** Whoever has just opened the old file may still write to it: its end is read at the next turn. */
  #turnOver(): void {
    renameSync(this.#path, `${this.#path}.old`);
    this.#oldPlace = this.#place;
    this.#moveTo(0);
  }

  #moveTo(place: number): void {
    this.#place = place;
    this.#taken = place;
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
    const { url, by, topic, item, poll, restUntil } = JSON.parse(line) as Record<string, unknown>;
    if (typeof url !== 'string') return [];
    if (typeof restUntil === 'number') return [{ url, restUntil }];
    if (poll === true) return [{ url, poll }];
    return typeof topic === 'string' && isItem(item) ? [{ url, topic, item }] : [{ url, ...(by === 'site' && { by }) }];
  } catch {
    return [];
  }
}

function isItem(value: unknown): value is FeedItem {
  const { mark, date } = (value ?? {}) as Record<string, unknown>;
  const isMark = typeof mark === 'number' && Number.isInteger(mark) && mark >= 0 && mark <= 0xffff_ffff;
  return isMark && (date === undefined || (typeof date === 'number' && Number.isFinite(date)));
}
