import type { Clock } from '../../base/clock.ts';
import type { Claim, Settlement } from '../../contracts/crawl-task.ts';
import type { Frontier, LinkBatch } from '../../contracts/frontier.ts';
import type { Focus, Focused } from '../learning/focus.ts';
import { orderedVisit } from '../learning/ordered-visit.ts';
import type { PageClassifier } from '../learning/page-classifier.ts';
import type { PageWork } from '../visit/page-work.ts';
import { NO_LINKS, type PackedLinks } from '../workers/packed-links.ts';
import type { FinishedWork } from '../workers/worker-pool.ts';
import { buildSettlement, type Found, judgeLinks, type SettlementRules } from './build-settlement.ts';
import { LINKS_AT_ONCE, packBatches, unpackBatch } from './link-batch.ts';
import { unknownLinks } from './unknown-links.ts';

const NONE: readonly number[] = [];

export interface SettlementBuilderParts {
  readonly frontier: Pick<Frontier, 'unknown'>;
  readonly clock: Clock;
  readonly rules: SettlementRules;
  /** What is made of a visit in the light of all others. */
  readonly classifier: PageClassifier;
  /** Keeps the crawl on a topic. */
  readonly focus?: Focus;
}

/** What follows from finished work, with all that the crawl has learnt: settlements. */
export class SettlementBuilder {
  readonly #parts: SettlementBuilderParts;

  constructor(parts: SettlementBuilderParts) {
    this.#parts = parts;
  }

  async of(finished: readonly FinishedWork[]): Promise<Settlement[]> {
    const pages = finished.flatMap(({ work }) => linksOf(work) ?? []);
    const answers = await unknownLinks(this.#parts.frontier, pages);
    const unknown = new Map(pages.map((links, at) => [links, answers[at]]));
    return finished.map(({ claim, work }) => this.#ofOne(claim, work, (links) => unknown.get(links) ?? NONE));
  }

  /** What becomes of links that had to wait. Some may be known by now. */
  async ofLinks(batch: LinkBatch): Promise<Found> {
    const { page, links, nofollow, standing } = unpackBatch(batch.links);
    const [unknown] = await unknownLinks(this.#parts.frontier, [links]);
    return judgeLinks(page, links, nofollow, unknown, this.#parts.rules, standing);
  }

  /** `unknownOf` knows the links that the page brought; the classifier leaves them as they are, or takes all of them away. */
  #ofOne(claim: Claim, brought: PageWork, unknownOf: (links: PackedLinks) => readonly number[]): Settlement {
    const { clock, rules, classifier } = this.#parts;
    const { work, probe, doubtful, ...weighed } = classifier.weigh(claim, brought);
    const links = linksOf(work);
    const unknown = links === undefined ? NONE : unknownOf(links);
    const now = clock.now();
    const focused = this.#focusOn(claim, work);
    const moves = rules.order.moves ? rules.order.visited(orderedVisit(claim, work, unknown, focused, now)) : [];
    const standing = { doubtful, ...(focused === undefined ? {} : { focused }) };
    const judged = unknown.length > LINKS_AT_ONCE ? unknown.slice(0, LINKS_AT_ONCE) : unknown;
    const settlement = buildSettlement(claim, work, unknown, now, rules, { ...standing, judged });
    classifier.learn(claim, work, settlement.outcome, links ?? NO_LINKS, unknown);
    const { likeness, nearChanges = [] } = {
      ...weighed,
      ...classifier.followNear(claim, settlement.outcome, weighed.likeness),
    };
    return {
      ...settlement,
      ...(judged === unknown ? {} : { linkBatches: batchesOf(claim, work, links as PackedLinks, unknown, standing) }),
      ...(focused === undefined || settlement.page === undefined
        ? {}
        : { page: { ...settlement.page, topic: { relevance: focused.relevance, why: focused.why } } }),
      ...(likeness === undefined ? {} : { likeness }),
      ...(nearChanges.length === 0 ? {} : { nearChanges }),
      ...(probe === undefined ? {} : { links: [...(settlement.links ?? []), probe] }),
      ...(moves.length === 0 ? {} : { moves }),
    };
  }

  #focusOn(claim: Claim, work: PageWork): Focused | undefined {
    if (work.kind !== 'page' || work.topic === undefined) return undefined;
    return this.#parts.focus?.of(claim, work.topic, work.links);
  }
}

function linksOf(work: PageWork): PackedLinks | undefined {
  return work.kind === 'page' || work.kind === 'refused' ? work.links : undefined;
}

function batchesOf(
  { task }: Claim,
  work: PageWork,
  links: PackedLinks,
  unknown: readonly number[],
  standing: Parameters<typeof packBatches>[0]['standing'],
): Uint8Array[] {
  const nofollow = work.kind === 'page' || work.kind === 'refused' ? work.nofollow : undefined;
  const waiting = { page: task, links, standing, ...(nofollow === undefined ? {} : { nofollow }) };
  return packBatches(waiting, unknown.slice(LINKS_AT_ONCE));
}
