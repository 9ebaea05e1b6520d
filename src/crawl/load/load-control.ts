import type { CrawlLoad } from '../../contracts/events.ts';

/** What was measured since the last time. */
export interface LoadMeasurement {
  /** How late a timer of this thread came at most, in ms. It rises with a busy processor, and with a slow disk under the state. */
  readonly lagMs: number;
  /** Resident memory of this process, by what it may have. */
  readonly memoryShare: number;
  /** Objects of this thread, by what the engine lets it have. On a large machine that is used up first, and the process ends. */
  readonly heapShare: number;
  /** Requests that ended, and those that did not reach their host or came to no end in time. */
  readonly requests: number;
  readonly lost: number;
}

/** Chosen: settling a batch of pages takes a tenth of a second where nothing is in the way. */
const LATE_MS = 500;
const IN_TIME_MS = 250;
const FULL = 0.85;
const ROOMY = 0.75;
/** Dead hosts are no sign of a dead line: where most of many requests are lost, the line is. */
const LOST_SHARE = 0.7;
const ENOUGH_REQUESTS = 40;
/** One bad moment is none. */
const IN_A_ROW = 3;
const LOWER = 0.7;
const RAISE = 1.1;
const FEWEST = 4;
const SLOWEST_FADING = 0.8;

/** How many requests at once the machine carries: lowered by a share where it is late, full or cut off, raised slowly where it is not. */
export class LoadControl {
  #allowed = Number.POSITIVE_INFINITY;
  #strained = 0;
  #why: CrawlLoad['why'];
  #lagMs = 0;
  #requests = 0;
  #lost = 0;

  /** What of `most` requests at once is allowed. */
  allowed(most: number): number {
    return Math.min(most, Math.max(Math.min(FEWEST, most), Math.floor(this.#allowed)));
  }

  observe({ lagMs, memoryShare, heapShare, requests, lost }: LoadMeasurement, most: number): CrawlLoad {
    const fullest = Math.max(memoryShare, heapShare);
    this.#lagMs = lagMs;
    this.#requests = this.#requests * SLOWEST_FADING + requests;
    this.#lost = this.#lost * SLOWEST_FADING + lost;
    const isCutOff = this.#requests >= ENOUGH_REQUESTS && this.#lost >= LOST_SHARE * this.#requests;
    const why = lagMs > LATE_MS ? 'late' : fullest > FULL ? 'memory' : isCutOff ? 'network' : undefined;
    if (why !== undefined) this.#lower(why, most);
    else {
      this.#strained = 0;
      if (lagMs < IN_TIME_MS && fullest < ROOMY) this.#raise(most);
    }
    return this.view(most);
  }

  view(most: number): CrawlLoad {
    const allowed = this.allowed(most);
    return {
      ...{ allowed, most, lagMs: Math.round(this.#lagMs) },
      ...(allowed < most && this.#why !== undefined ? { why: this.#why } : {}),
    };
  }

  #lower(why: CrawlLoad['why'], most: number): void {
    this.#strained++;
    if (this.#strained < IN_A_ROW) return;
    this.#why = why;
    this.#allowed = Math.max(FEWEST, Math.min(this.#allowed, most) * LOWER);
  }

  #raise(most: number): void {
    if (this.#allowed >= most) return;
    this.#allowed = Math.max(this.#allowed + 1, this.#allowed * RAISE);
    if (this.#allowed < most) return;
    this.#allowed = Number.POSITIVE_INFINITY;
    this.#why = undefined;
  }
}
