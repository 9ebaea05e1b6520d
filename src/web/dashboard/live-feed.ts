import type { ServerResponse } from 'node:http';

/** So often those who watch are told what has changed. */
const EVERY_MS = 750;
/** Where nothing has changed in so many looks, such as after the end of a crawl, the next comes later: another run may begin. */
const QUIET_LOOKS = 10;
const QUIET_EVERY_MS = 3000;
/** A line now and then, so that nobody in between takes the connection for dead. */
const QUIET_MS = 15_000;
/** More readers are turned away: their page says the same when it is reloaded. */
const MOST_READERS = 50;

interface Reader {
  readonly response: ServerResponse;
  readonly key: string;
  /** What it was told of each part. */
  readonly told: Map<string, string>;
  heardAt: number;
}

/**
 * Server-sent events of what has changed on a page, part by part. One picture is made for all readers of the same view, and none
 * while nobody reads. Who reads too slowly misses steps, never the end.
 */
export class LiveFeed {
  /** The markup of each part. */
  readonly #make: (key: string) => Promise<ReadonlyMap<string, string>>;
  readonly #readers = new Set<Reader>();
  #timer: NodeJS.Timeout | undefined;
  #quietLooks = 0;

  constructor(make: (key: string) => Promise<ReadonlyMap<string, string>>) {
    this.#make = make;
  }

  get isFull(): boolean {
    return this.#readers.size >= MOST_READERS;
  }

  /** Sends to a response whose head was written, until its reader has gone. */
  add(response: ServerResponse, key: string): void {
    const reader: Reader = { response, key, told: new Map(), heardAt: performance.now() };
    this.#readers.add(reader);
    response.once('close', () => this.#readers.delete(reader));
    // A browser that lost us comes back after so many ms.
    response.write('retry: 2000\n\n');
    if (this.#timer === undefined) this.#schedule(0);
  }

  /** Ends all streams; their readers come back to another server. */
  end(): void {
    clearTimeout(this.#timer);
    for (const { response } of this.#readers) response.end();
    this.#readers.clear();
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => void this.#tell(), ms);
    this.#timer.unref();
  }

  async #tell(): Promise<void> {
    const pictures = new Map<string, ReadonlyMap<string, string>>();
    for (const key of new Set([...this.#readers].map((reader) => reader.key))) {
      // A look that failed is tried again: the next may succeed.
      const picture = await this.#make(key).catch(() => undefined);
      if (picture !== undefined) pictures.set(key, picture);
    }
    let isNews = false;
    for (const reader of this.#readers) if (send(reader, pictures.get(reader.key))) isNews = true;
    this.#quietLooks = isNews ? 0 : this.#quietLooks + 1;
    this.#timer = undefined;
    if (this.#readers.size > 0) this.#schedule(this.#quietLooks < QUIET_LOOKS ? EVERY_MS : QUIET_EVERY_MS);
  }
}

/** Answers whether there was news for the reader. */
function send(reader: Reader, picture: ReadonlyMap<string, string> | undefined): boolean {
  const { response, told } = reader;
  if (response.writableNeedDrain || response.destroyed) return false;
  const changed: Record<string, string> = {};
  for (const [id, markup] of picture ?? [])
    if (told.get(id) !== markup) {
      changed[id] = markup;
      told.set(id, markup);
    }
  const now = performance.now();
  const isNews = Object.keys(changed).length > 0;
  if (isNews) response.write(`data: ${JSON.stringify(changed)}\n\n`);
  else if (now - reader.heardAt < QUIET_MS) return false;
  else response.write(': nothing new\n\n');
  reader.heardAt = now;
  return isNews;
}
