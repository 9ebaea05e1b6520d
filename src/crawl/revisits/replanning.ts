import type { Clock } from '../../base/clock.ts';
import { fingerprint } from '../../base/fingerprint.ts';
import type { Frontier, RevisitUpdate } from '../../contracts/frontier.ts';
import type { SettledPage } from '../../contracts/state/settled-page.ts';

/** A page that waits for its next visit. */
export interface WaitingPage extends Pick<SettledPage, 'url' | 'outcome' | 'visitedAt' | 'changes'> {
  readonly nextVisit: number;
}

export interface ReplanningParts {
  readonly frontier: Frontier;
  /** All pages whose next visit is planned for after a time, in slices. */
  readonly waiting: (after: number) => Iterator<readonly WaitingPage[]>;
  /** The next visit as it is planned now; undefined: as it was. */
  readonly planAgain: (page: WaitingPage, now: number) => { readonly at: number; readonly why: string } | undefined;
  readonly clock: Clock;
}

/**
 * Plans the next visits of all pages once more, where the settings are others than those that they were planned by, or the
 * clock was wrong. Slice by slice, so that a crawl of many pages goes on meanwhile. What is due stays due.
 */
export class Replanning {
  readonly #parts: ReplanningParts;
  #slices: Iterator<readonly WaitingPage[]> | undefined;

  constructor(parts: ReplanningParts) {
    this.#parts = parts;
  }

  get isUnderWay(): boolean {
    return this.#slices !== undefined;
  }

  /** From the beginning, also if it is under way. */
  start(): void {
    this.#slices = this.#parts.waiting(this.#parts.clock.now());
  }

  /** One slice. */
  async step(): Promise<void> {
    const { frontier, clock, planAgain } = this.#parts;
    const slice = this.#slices?.next();
    if (slice === undefined || slice.done === true) {
      this.#slices = undefined;
      return;
    }
    const now = clock.now();
    const updates: RevisitUpdate[] = [];
    for (const page of slice.value) {
      const plan = planAgain(page, now);
      if (plan === undefined || plan.at === page.nextVisit) continue;
      updates.push({ fingerprint: fingerprint(page.url), at: plan.at, why: plan.why, replan: true });
    }
    await frontier.updateRevisits(updates);
  }
}
