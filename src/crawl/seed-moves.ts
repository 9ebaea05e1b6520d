import type { CrawlEvents } from '../contracts/events.ts';
import type { OwnedPartition } from '../contracts/state/owned-partition.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { FilterChain } from '../scope/filter-chain.ts';
import type { EventHub } from './report/event-hub.ts';

/** A long list of seeds may hold many that have moved. */
const MOVES_TOLD = 10;

/** Seeds that redirect: the crawl follows them, and its scope with it. */
export class SeedMoves {
  readonly #filter: FilterChain;
  readonly #events: EventHub<CrawlEvents>;
  #count = 0;
  #widened = false;

  constructor(filter: FilterChain, events: EventHub<CrawlEvents>) {
    this.#filter = filter;
    this.#events = events;
  }

  /** Whether a seed led there. */
  follow(from: CanonicalUrl, to: CanonicalUrl): boolean {
    const led = this.#filter.seedLedTo(from, to);
    if (led?.widened === true) {
      this.#widened = true;
      this.#count++;
      this.#notify(from, to);
    }
    return led !== undefined;
  }

  /** Admits links that were out of scope until a seed led there. True where some came in. */
  async admitLinks(state: OwnedPartition): Promise<boolean> {
    if (!this.#widened) return false;
    this.#widened = false;
    return (await state.reconsider((task) => this.#filter.judge(task).admit, ['scope'])) > 0;
  }

  #notify(from: CanonicalUrl, to: CanonicalUrl): void {
    if (this.#count > MOVES_TOLD + 1) return;
    const message =
      this.#count <= MOVES_TOLD
        ? `${from} redirects to ${to}. As a seed led there, the crawl goes on there.`
        : 'More seeds redirect elsewhere, and the crawl goes on there.';
    this.#events.emit('warning', { code: 'SEED_MOVED', message });
  }
}
