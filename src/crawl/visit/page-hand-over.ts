import { BroadcastChannel } from 'node:worker_threads';
import type { PutLocation } from '../../contracts/archive.ts';
import type { IndexFields } from '../../contracts/content/index-fields.ts';
import type { HandedVisit, HandOver } from '../../contracts/handed-visit.ts';

/** Characters under way at most, in all threads: what is more is read from the archive when its turn comes. */
const MOST_WAITING = 32_000_000;

/**
 * Hands pages to the thread that fills the index, as soon as they are in the archive: it need not read and scan them again. Never
 * waits, and gives up what there is no room for.
 */
export class PageHandOver implements Disposable {
  readonly #channel: BroadcastChannel;
  readonly #waiting: Int32Array;

  constructor({ channel, waiting }: HandOver) {
    this.#channel = new BroadcastChannel(channel);
    this.#waiting = new Int32Array(waiting);
    // Nobody waits for words from the other side.
    this.#channel.unref();
  }

  hand(place: PutLocation & { readonly url: string }, fields: IndexFields, given: string | undefined): void {
    const { url, file, start, offset, fileEnd: end } = place;
    // As it comes back from the archive: half a surrogate pair does not survive UTF-8.
    const text = given?.toWellFormed() ?? '';
    const { title, headings, description, language, links } = fields;
    const parts = [url, text, title, headings, description, language, links.urls, links.texts, links.nofollow];
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    const waiting = Atomics.load(this.#waiting, 0);
    if (waiting < 0 || waiting + size > MOST_WAITING) return;
    Atomics.add(this.#waiting, 0, size);
    this.#channel.postMessage({ url, file, start, offset, end, fields, text, size } satisfies HandedVisit);
  }

  [Symbol.dispose](): void {
    this.#channel.close();
  }
}
