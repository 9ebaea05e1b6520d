import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { SearchIndex } from '../../contracts/search-index.ts';
import { anchorSum } from '../../index/format/anchor-sum.ts';
import type { FollowedLinks } from './followed-links.ts';
import type { VisitTaker } from './visit-taker.ts';

/** Merges bring new anchors along; what they have not reached is looked for so often. */
const ROUND_MS = 10 * 60_000;
const MOST_PENDING = 50_000;
/** After so many pages others have a turn. */
const SLICE = 200;
/** Writing a segment again costs a document about an eighth of an analysis. */
const LEAST_SHARE = 1 / 8;
/** Pages in other segments are analysed again after so long, and so many in a round: they must not hold up the new ones. */
const STALE_MS = 60 * 60_000;
const AGAIN_PER_ROUND = 500;

export interface PendingPagesParts {
  readonly index: Pick<SearchIndex, 'refresh' | 'commit' | 'snapshot'>;
  readonly links: Pick<FollowedLinks, 'takePending' | 'keepPending' | 'anchorsTo'>;
  readonly taker: Pick<VisitTaker, 'takeAgain'>;
  readonly clock: Clock;
}

/**
 * Pages whose anchors have become others while a crawl runs. A crawl that goes on for ever merges its large segments seldom, and
 * their anchors must not stay as they are until then.
 */
export class PendingPages {
  readonly #parts: PendingPagesParts;
  #roundAt: number;
  /** Pages that were left in the last round, and since when. */
  #since = new Map<string, number>();

  constructor(parts: PendingPagesParts) {
    this.#parts = parts;
    this.#roundAt = parts.clock.now();
  }

  /** Once in a while: right after a commit of the links, whose next one forgets what was taken here. */
  async refreshIfDue(place: () => unknown): Promise<void> {
    const { index, links, taker, clock } = this.#parts;
    const now = clock.now();
    // Absolute, because a clock that was set back must not put it off.
    if (Math.abs(now - this.#roundAt) < ROUND_MS) return;
    this.#roundAt = now;
    const left = await index.refresh(await this.#outdated(links.takePending(MOST_PENDING)), LEAST_SHARE);
    const since = new Map<string, number>();
    let again = 0;
    for (const url of left) {
      const first = this.#since.get(url) ?? now;
      if (now - first >= STALE_MS && again < AGAIN_PER_ROUND) {
        await taker.takeAgain(url);
        again++;
      } else {
        links.keepPending(url);
        since.set(url, first);
      }
    }
    this.#since = since;
    if (again > 0) await index.commit(place());
  }

  /** Without those that a merge has refreshed since. */
  async #outdated(urls: readonly string[]): Promise<string[]> {
    using snapshot = this.#parts.index.snapshot();
    const outdated: string[] = [];
    for (const [at, url] of urls.entries()) {
      if (at % SLICE === SLICE - 1) await nextTurn();
      const number = snapshot.find(url);
      if (number === undefined) continue;
      const { anchorSum: indexed } = snapshot.document(number);
      if (anchorSum(this.#parts.links.anchorsTo(url)) !== indexed) outdated.push(url);
    }
    return outdated;
  }
}
