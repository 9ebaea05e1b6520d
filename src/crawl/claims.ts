import type { Clock } from '../base/clock.ts';
import type { Claim, CrawlTask } from '../contracts/crawl-task.ts';
import type { Frontier } from '../contracts/frontier.ts';
import type { NewHostPace } from './learning/new-host-pace.ts';
import type { HeldBack } from './learning/page-classifier.ts';
import type { RevisitScheduler } from './revisits/revisit-scheduler.ts';
import type { RunLimits } from './run-limits.ts';
import { ForbiddenUrls } from './settlement/forbidden-urls.ts';
import type { FinishedWork } from './visit/page-work.ts';

export interface ClaimsParts {
  readonly frontier: Frontier;
  /** Why a URL is not asked for after all, though its turn has come. */
  readonly holds: (task: CrawlTask) => HeldBack | undefined;
  readonly pace: NewHostPace;
  readonly limits: RunLimits;
  /** Keeps known pages fresh. */
  readonly upkeep?: Pick<RevisitScheduler, 'prepare'>;
  readonly clock: Clock;
}

/** What was claimed: to be worked on, and done with because the URL is held back. */
export interface Claimed {
  readonly asked: readonly Claim[];
  readonly heldBack: readonly FinishedWork[];
}

const CROWD_MS = 200;
const CROWDED = 'other hosts of its domain are looked at first';
const LAST_PAGES = 'the last pages up to max-pages are under way';

/** Leases of URLs that may be asked for, each prepared for its visit. */
export class Claims {
  readonly #parts: ClaimsParts;
  readonly #forbidden: ForbiddenUrls;
  /** Claims of URLs that were never visited; of a crawl that goes on at its limit. */
  readonly #newUnderWay = new Set<number>();

  constructor(parts: ClaimsParts) {
    this.#parts = parts;
    this.#forbidden = new ForbiddenUrls(parts.frontier);
  }

  async take(max: number): Promise<Claimed> {
    const { frontier, limits, pace, upkeep } = this.#parts;
    const heldBack: FinishedWork[] = [];
    const claims = (await frontier.claim(max)).filter((claim) => {
      const held = this.#heldBack(claim);
      if (held !== undefined) heldBack.push({ claim, work: { kind: 'refused', ...held } });
      return held === undefined;
    });
    const surplus = claims.filter(isNew).slice(limits.roomForNew(this.#newUnderWay.size));
    await this.#putOff(surplus, LAST_PAGES);
    const wanted = surplus.length === 0 ? claims : claims.filter((claim) => !surplus.includes(claim));
    const crowded = wanted.filter(({ task }) => !pace.begin(task.host));
    await this.#putOff(crowded, CROWDED);
    const asked = crowded.length === 0 ? wanted : wanted.filter((claim) => !crowded.includes(claim));
    for (const claim of asked) if (isNew(claim)) this.#newUnderWay.add(claim.id);
    const prepared = upkeep === undefined ? asked : asked.map((claim) => upkeep.prepare(claim));
    return { asked: await this.#forbidden.takeAlong(prepared), heldBack };
  }

  /** Visits have come to their end: theirs, and those of URLs that were found to be forbidden along with one. */
  ended(finished: readonly FinishedWork[]): FinishedWork[] {
    for (const { claim, work } of finished) this.#parts.pace.end(claim.task.host, work.kind === 'page');
    return finished.flatMap((one) => this.#forbidden.spread(one));
  }

  settled(finished: readonly FinishedWork[]): void {
    for (const { claim } of finished) this.#newUnderWay.delete(claim.id);
  }

  /** A URL that came in before more was known is not asked for after all. */
  #heldBack({ task, earlier }: Claim): HeldBack | undefined {
    // What the crawl has learnt of new URLs says nothing of pages that it has.
    return earlier?.digest === undefined ? this.#parts.holds(task) : undefined;
  }

  async #putOff(claims: readonly Claim[], why: string): Promise<void> {
    if (claims.length === 0) return;
    const { frontier, clock } = this.#parts;
    await frontier.release(claims);
    await frontier.holdHosts(
      claims.map(({ task }) => task.host),
      clock.now() + CROWD_MS,
      why,
    );
  }
}

function isNew({ task, earlier }: Claim): boolean {
  return task.purpose === 'page' && earlier === undefined;
}
