import type { MessagePort } from 'node:worker_threads';
import { TurnBatch } from '../../base/turn-batch.ts';
import type { PutLocation } from '../../contracts/archive.ts';
import type { IndexFields } from '../../contracts/content/index-fields.ts';
import type { HandedVisit, HandedVisits, HandOverEnd } from '../../contracts/handed-visit.ts';

/** Bytes under way at most, in all threads: what is more is read from the archive when its turn comes. */
const MOST_WAITING = 32_000_000;
const NO_TEXT = new Uint8Array(0);

/**
 * Hands pages to the thread that fills the index, as soon as they are in the archive: it need not read and scan them again. Those that
 * follow each other closely go out in one message, since to wake up the other thread costs more than to copy a page. Their texts are not
 * copied: they are no longer in this thread then. Never waits, and gives up what there is no room for.
 */
export class PageHandOver implements Disposable {
  readonly #port: MessagePort;
  readonly #waiting: Int32Array;
  readonly #visits = new TurnBatch<HandedVisit>((visits) => this.#send(visits));
  #size = 0;

  constructor({ port, waiting }: HandOverEnd) {
    this.#port = port;
    this.#waiting = new Int32Array(waiting);
  }

  hand(
    place: PutLocation & { readonly url: string },
    fields?: IndexFields,
    text: Uint8Array<ArrayBuffer> = NO_TEXT,
  ): void {
    const { url, file, start, offset, fileEnd: end } = place;
    const size = url.length + text.length + (fields === undefined ? 0 : sizeOf(fields));
    const waiting = Atomics.load(this.#waiting, 0);
    if (waiting < 0 || waiting + this.#size + size > MOST_WAITING) return;
    this.#size += size;
    this.#visits.add({ url, file, start, offset, end, text, size, ...(fields === undefined ? {} : { fields }) });
  }

  [Symbol.dispose](): void {
    this.#visits.flush();
    this.#port.close();
  }

  #send(visits: HandedVisits): void {
    const size = this.#size;
    this.#size = 0;
    if (Atomics.load(this.#waiting, 0) < 0) return;
    // Counted when they are sent, not before: of a thread that dies in between nothing stays counted.
    Atomics.add(this.#waiting, 0, size);
    this.#port.postMessage(visits, buffersOf(visits));
  }
}

function buffersOf(visits: HandedVisits): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  for (const { text } of visits) if (text !== NO_TEXT) buffers.push(text.buffer);
  return buffers;
}

function sizeOf({ title, headings, description, language, links }: IndexFields): number {
  const parts = [title, headings, description, language, links.urls, links.texts, links.targets];
  return parts.reduce((sum, { length }) => sum + length, 0);
}
