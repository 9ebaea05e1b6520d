import type { CrawlOrder } from '../contracts/crawl-order.ts';
import type { UrlFilter } from '../contracts/url-filter.ts';
import { Claims, type ClaimsParts } from './claims.ts';
import { Conductor, type ConductorParts } from './conductor.ts';
import type { Focus } from './learning/focus.ts';
import type { FormVisits } from './learning/form-visits.ts';
import { orderedVisit } from './learning/ordered-visit.ts';
import type { PageClassifier } from './learning/page-classifier.ts';
import type { RevisitScheduler } from './revisits/revisit-scheduler.ts';
import { RunLimits, type RunLimitsParts } from './run-limits.ts';
import { SettlementBuilder, type SettlementRules } from './settlement/build-settlement.ts';
import { LinkJudge, type LinkRules } from './settlement/link-judge.ts';
import { Settler, type SettlerParts } from './settlement/settler.ts';
import type { SettlementStages } from './visit/pipeline.ts';
import { Spellings } from './visit/spellings.ts';

/** What a run is made of. */
export interface RunParts
  extends Pick<
      ConductorParts,
      'frontier' | 'startWorkers' | 'maintain' | 'mayEnd' | 'clock' | 'concurrency' | 'isPaused'
    >,
    Pick<ClaimsParts, 'holds' | 'isHeldHost'>,
    Pick<RunLimitsParts, 'limits' | 'before'>,
    Pick<SettlerParts, 'learnt' | 'events' | 'sinks' | 'rows'> {
  readonly rules: SettlementRules & LinkRules & { readonly filter: UrlFilter; readonly order: CrawlOrder };
  /** What is made of a visit in the light of all others. */
  readonly classifier: PageClassifier;
  /** Keeps the crawl on a topic. */
  readonly focus?: Focus;
  /** Fills in forms. */
  readonly forms?: FormVisits;
  /** Keeps known pages fresh. */
  readonly scheduler?: RevisitScheduler;
}

/** Puts together what claims, bounds and settles the visits of a run. */
export function openConductor(parts: RunParts): Conductor {
  const { frontier, rules, classifier, focus, forms, clock } = parts;
  const limits = new RunLimits(parts);
  const links = new LinkJudge(frontier, rules);
  const { order } = rules;
  const spellings = new Spellings();
  const stages: SettlementStages = {
    links,
    classifier,
    ...(focus === undefined ? {} : { focus }),
    ...(forms === undefined ? {} : { forms }),
    ...(order.moves ? { order: (visit) => order.visited(orderedVisit(visit)) } : {}),
    settlements: new SettlementBuilder({ ...rules, spellings }, links),
    clock,
  };
  return new Conductor({
    ...parts,
    limits,
    claims: new Claims({ ...parts, spellings }),
    settler: new Settler({ ...parts, stages, limits }),
    warn: (warning) => parts.events.emit('warning', warning),
    progress: () => ({
      ...(focus === undefined ? {} : { harvest: focus.harvest }),
      ...(classifier.compared === undefined ? {} : { compared: classifier.compared }),
    }),
  });
}
