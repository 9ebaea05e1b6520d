import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { PageWeight } from '../../contracts/revisit.ts';
import type { LinkReader } from '../../contracts/state/link-store.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hasLinks, openLinkReader } from '../../engines/open-links.ts';
import { clickedWeights } from '../../revisit/clicked-pages.ts';

const LOOK_EVERY_MS = 60_000;
/** Links that a page has on average are estimated again by this many of those asked about. */
const MEAN_OVER = 1000;

/**
 * How much each page matters: by the links to it, as far as the index beside the crawl knows them, and by how often people
 * open it from the search page. Neither is there at first; pages are then all alike.
 */
export class PageWeights implements Disposable {
  readonly #folder: string;
  readonly #clock: Clock;
  #links: LinkReader | undefined;
  #meanDoublings = 1;
  #opened: ReadonlyMap<string, number> = new Map();
  #clicksSize = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  of(url: CanonicalUrl): PageWeight {
    if (Math.abs(this.#clock.now() - this.#lookedAt) >= LOOK_EVERY_MS) this.#look();
    const opened = this.#opened.get(url);
    return { ...this.#importanceOf(url), ...(opened === undefined ? {} : { opened }) };
  }

  [Symbol.dispose](): void {
    this.#links?.[Symbol.dispose]();
    this.#links = undefined;
  }

  /** Ten times the links are worth less than ten times as much: a doubling counts as one, and one for being there. */
  #importanceOf(url: CanonicalUrl): PageWeight {
    if (this.#links === undefined) return {};
    const doublings = 1 + Math.log2(1 + this.#links.linkCount(url));
    this.#meanDoublings += (doublings - this.#meanDoublings) / MEAN_OVER;
    return { importance: doublings / this.#meanDoublings };
  }

  /** The index may have been made, or rebuilt, since. */
  #look(): void {
    this.#lookedAt = this.#clock.now();
    this[Symbol.dispose]();
    try {
      if (hasLinks(this.#folder)) this.#links = openLinkReader(this.#folder);
    } catch {
      // Not finished, or of another version: pages are alike until it can be read.
      this.#links = undefined;
    }
    const clicks = join(this.#folder, 'clicks.jsonl');
    const size = statSync(clicks, { throwIfNoEntry: false })?.size ?? 0;
    if (size !== this.#clicksSize)
      this.#opened = clickedWeights(readFileSync(clicks, 'utf8').split('\n'), this.#clock.now());
    this.#clicksSize = size;
  }
}
