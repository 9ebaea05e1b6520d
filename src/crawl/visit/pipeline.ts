import { freeBytes } from '../../base/bytes/free-bytes.ts';
import type { Clock } from '../../base/clock.ts';
import type { Claim, Settlement } from '../../contracts/crawl-task.ts';
import type { PlaceChange } from '../../contracts/place.ts';
import type { BodyMemory } from '../../fetch/body/body-memory.ts';
import type { PageExtraction } from '../extraction/page-extraction.ts';
import type { Focus } from '../learning/focus.ts';
import type { FormVisits } from '../learning/form-visits.ts';
import type { PageClassifier } from '../learning/page-classifier.ts';
import type { PageHandlers } from '../plugins/page-handlers.ts';
import type { PageRendering } from '../rendering/page-rendering.ts';
import type { JudgedVisit, SettlementBuilder } from '../settlement/build-settlement.ts';
import type { LinkJudge } from '../settlement/link-judge.ts';
import type { ExactCopies } from './exact-copies.ts';
import type { PageAnswers } from './page-answer.ts';
import type { PageArchive } from './page-archive.ts';
import type { PageContent } from './page-content.ts';
import type { Answer, PageRequests } from './page-request.ts';
import { type FinishedWork, linksOf, type PageWork } from './page-work.ts';
import type { RobotsTurn } from './robots-turn.ts';
import type { StageTimer } from './stage-timer.ts';

/** The stages that one claim goes through, in a page thread. */
export interface VisitStages {
  /** Bodies of all visits under way share it. */
  readonly memory: Pick<BodyMemory, 'room'>;
  /** Absent where robots.txt is ignored. */
  readonly robots: RobotsTurn | undefined;
  readonly request: PageRequests;
  readonly answer: PageAnswers;
  readonly content: PageContent;
  /** Absent where no page is shown in a browser. */
  readonly rendering?: PageRendering;
  readonly copies: ExactCopies;
  /** Of plug-ins. */
  readonly handlers?: PageHandlers;
  /** The rules of users; absent where there are none. */
  readonly extraction?: PageExtraction;
  readonly archive: PageArchive;
}

/** The stages that a batch of finished visits goes through, in the thread that has the state. */
export interface SettlementStages {
  readonly links: LinkJudge;
  readonly classifier: PageClassifier;
  readonly focus?: Focus;
  /** What the crawl order learns from a visit: URLs that wait and move. Absent where none ever moves. */
  readonly order?: (visit: JudgedVisit) => readonly PlaceChange[];
  readonly settlements: SettlementBuilder;
  /** Fills in forms of hosts that people have named. */
  readonly forms?: FormVisits;
  readonly clock: Clock;
}

/**
 * The way of one claim from robots.txt to the archive. Each stage takes what the one before it gives, or ends the visit.
 * Never throws for what the web does; what it throws is a fault of ours or of the disk, and ends the crawl.
 */
export async function visitPage(claimed: Claim, stages: VisitStages, timer?: StageTimer): Promise<PageWork> {
  const { memory, robots, request, answer, content, rendering, copies, handlers, extraction, archive } = stages;
  using room = memory.room();
  const held = await robots?.pass(claimed);
  timer?.ended('robots');
  if (held !== undefined) return held;
  const answered = await request.send(claimed, room.take);
  timer?.ended('fetch');
  if (answered.kind !== 'response') return answered;
  // Plug-ins, rules and browsers that were given up may still read it.
  using _body =
    handlers === undefined && extraction === undefined && rendering === undefined ? spent(answered) : undefined;
  const { askedFor } = answered.exchange;
  const claim = askedFor === undefined ? claimed : { ...claimed, address: askedFor };
  const ended = await answer.withoutPage(claim, answered);
  if (ended !== undefined) {
    timer?.ended('archive');
    return ended;
  }
  const asAnswered = await content.read(claim, answered);
  if (asAnswered.kind !== 'document') return asAnswered;
  const document = (await rendering?.show(claim, asAnswered)) ?? asAnswered;
  if (document.kind !== 'document') return document;
  const copy = await copies.compare(claim, document.digest);
  const page = await content.describe(claim, document, copy);
  const handled = await handlers?.handle(claim, document, copy, page);
  const extracted = await extraction?.of(claim, document, copy);
  timer?.ended('extract');
  if (handled !== undefined && 'kind' in handled) return handled;
  const stored = await archive.store(claim, document, copy, {
    ...(handled ?? page),
    ...(extracted === undefined ? {} : { extracted }),
  });
  timer?.ended('archive');
  return stored;
}

/** What a visit leaves is told without its body. */
function spent({ raw, body }: Answer): Disposable {
  return {
    [Symbol.dispose]() {
      freeBytes(raw);
      if (body !== raw) freeBytes(body);
    },
  };
}

/** Builds settlements from finished visits, in order: each teaches the next. The frontier writes them in one transaction. */
export async function buildSettlements(
  visits: readonly FinishedWork[],
  stages: SettlementStages,
): Promise<Settlement[]> {
  const { links, classifier, focus, order, settlements, forms, clock } = stages;
  const unknownLinks = await links.openBatch(visits.map(({ work }) => work));
  return visits.map(({ claim, work: brought }, at) => {
    // New, a copy, a trap, a mirror, an error in disguise, spam?
    const { work, doubtful, ...weighed } = classifier.weigh(claim, brought);
    const unknown = linksOf(work) === linksOf(brought) ? unknownLinks[at] : [];
    const focused = focus?.of(claim, work);
    const visit = { claim, work, unknown, now: clock.now(), doubtful, ...(focused === undefined ? {} : { focused }) };
    const moves = order?.(visit) ?? [];
    const settlement = settlements.build(visit);
    classifier.learn(visit, settlement.outcome);
    const near = classifier.followNear(claim, settlement.outcome, weighed.contentSketch);
    const { probe, contentSketch, nearChanges = [] } = { ...weighed, ...near };
    const asked = forms?.after(visit, settlement, links);
    return {
      ...settlement,
      ...(contentSketch === undefined ? {} : { contentSketch }),
      ...(nearChanges.length === 0 ? {} : { nearChanges }),
      ...(asked === undefined ? {} : { refusals: [...(settlement.refusals ?? []), ...asked.refusals] }),
      ...(probe === undefined && asked === undefined
        ? {}
        : { links: [...(settlement.links ?? []), ...(probe === undefined ? [] : [probe]), ...(asked?.links ?? [])] }),
      ...(moves.length === 0 ? {} : { moves }),
    };
  });
}
