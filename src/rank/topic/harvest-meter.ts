import type { Harvest } from '../../contracts/content/topic.ts';

const RECENT = 200;

/** Counts what a focused crawl brings in, and notices when nothing comes any more. */
export class HarvestMeter {
  readonly #dryAfter: number;
  #pages = 0;
  #relevant = 0;
  /** In this run: who goes on with a crawl that had dried up wants to see whether more comes. */
  #sinceRelevant = 0;
  /** Of the last pages, whether each was relevant; the oldest is overwritten. */
  readonly #recent = new Uint8Array(RECENT);

  constructor(dryAfter: number, kept?: unknown) {
    this.#dryAfter = dryAfter;
    const { pages, relevant, recent } = (kept ?? {}) as Record<string, unknown>;
    if (typeof pages !== 'number' || typeof relevant !== 'number') return;
    this.#pages = pages;
    this.#relevant = relevant;
    if (typeof recent === 'string' && recent.length === RECENT)
      for (let at = 0; at < RECENT; at++) this.#recent[at] = recent[at] === '1' ? 1 : 0;
  }

  add(isRelevant: boolean): void {
    this.#recent[this.#pages % RECENT] = isRelevant ? 1 : 0;
    this.#pages++;
    this.#relevant += isRelevant ? 1 : 0;
    this.#sinceRelevant = isRelevant ? 0 : this.#sinceRelevant + 1;
  }

  get driedUp(): boolean {
    return this.#sinceRelevant >= this.#dryAfter;
  }

  harvest(): Harvest {
    const seen = Math.min(this.#pages, RECENT);
    const recent = this.#recent.reduce((sum, one) => sum + one, 0);
    return { pages: this.#pages, relevant: this.#relevant, recentRate: seen === 0 ? 0 : recent / seen };
  }

  toJSON(): unknown {
    const recent = this.#recent.join('');
    return { pages: this.#pages, relevant: this.#relevant, recent };
  }
}
