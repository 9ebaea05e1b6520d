import { fingerprint } from '../../base/fingerprint.ts';
import type { OutLink } from '../../contracts/state/link-store.ts';
import type { LinkBatch } from './link-batch.ts';
import { AGAIN, NOFOLLOW, SAME_HOST } from './link-entry.ts';
import { isOnHost, UrlKey } from './url-key.ts';

/** The links of a visit. */
export interface VisitLinks {
  readonly visit: number;
  readonly host: string;
  readonly links: readonly OutLink[];
  /** Where links came as lines: of each twice the place of its URL, and perhaps one more. */
  readonly targets: Uint32Array | undefined;
  /** What the visit before linked to. */
  readonly before: ReadonlySet<string> | undefined;
  /** The texts: where each begins and ends in these bytes. */
  readonly value: Uint8Array;
  readonly texts: Uint32Array;
}

/** Puts the links of pages into a batch. What is asked of a URL is found out once for all links of a page to it. */
export class PageLinks {
  readonly #key = new UrlKey();
  #hi = new Uint32Array(256);
  #lo = new Uint32Array(256);
  #flags = new Uint8Array(256);

  addTo(batch: LinkBatch, { visit, host, links, targets, before, value, texts }: VisitLinks): void {
    this.#reserve(links.length);
    const entry = { visit, host: Number(fingerprint(host) & 0xffffffffn), flags: 0 };
    let known = 0;
    for (let at = 0; at < links.length; at++) {
      const { url, nofollow } = links[at];
      const place = targets === undefined ? at : targets[at] >>> 1;
      if (place === known) {
        known++;
        const { hi, lo } = this.#key.set(url);
        this.#hi[place] = hi;
        this.#lo[place] = lo;
        this.#flags[place] = (isOnHost(url, host) ? SAME_HOST : 0) | (before?.has(url) === true ? AGAIN : 0);
      }
      entry.flags = this.#flags[place] | (nofollow ? NOFOLLOW : 0);
      batch.add(this.#hi[place], this.#lo[place], entry, value, texts[2 * at], texts[2 * at + 1]);
    }
  }

  #reserve(links: number): void {
    if (links <= this.#hi.length) return;
    this.#hi = new Uint32Array(2 * links);
    this.#lo = new Uint32Array(2 * links);
    this.#flags = new Uint8Array(2 * links);
  }
}
