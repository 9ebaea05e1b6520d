import type { AppRun, CrawlCondition, CrawlFacts } from '../contracts/crawl-library.ts';
import type { RunActivity } from './crawl-runs.ts';
import { describeEnded, describeExit, hasFailed } from './describe-end.ts';

/** What was seen of a crawl folder. */
export interface Seen {
  readonly holds: 'crawl' | 'documents' | 'settings' | 'nothing';
  readonly facts: CrawlFacts | undefined;
  /** Why the facts could not be read. */
  readonly fault: string | undefined;
  readonly run: AppRun | undefined;
  readonly activity: RunActivity;
  /** A process has the folder. */
  readonly locked: boolean;
}

export interface Condition {
  readonly condition: CrawlCondition;
  readonly note: string;
}

/** Those that can be run again. */
const ENDED: ReadonlySet<CrawlCondition> = new Set(['stopped', 'finished', 'failed', 'interrupted']);
const LOG = 'The log says more.';

/** How a crawl stands, and why. Pure: the same for everybody who sees the same. */
export function conditionOf(seen: Seen): Condition {
  const { condition, note } = standingOf(seen);
  const isEnded = ENDED.has(condition) && seen.facts?.pausedAt !== undefined;
  return isEnded
    ? told(condition, `${note} It is paused: a run asks for nothing until it is resumed, on its control page.`.trim())
    : told(condition, note);
}

function standingOf({ holds, facts, fault, run, activity, locked }: Seen): Condition {
  if (activity === 'waiting') return told('waiting', 'It begins when one of the running crawls ends.');
  if (activity === 'running' || locked) return busy(run, activity, facts?.pausedAt !== undefined);
  if (holds === 'nothing') return told('foreign', 'This folder holds no crawl.');
  if (fault !== undefined) return told('broken', fault);
  // The process ended later than anything that the state knows of.
  const isLater = run?.endedAt !== undefined && run.endedAt >= (facts?.endedAt ?? facts?.startedAt ?? 0);
  const exit = run === undefined || !isLater || !hasFailed(run) ? undefined : describeExit(run);
  const isInOrder = exit === undefined || run?.signal === 'SIGTERM';
  if (exit !== undefined && run?.signal === undefined) return told('failed', `${exit} ${LOG}`);
  if (holds === 'documents') return told('imported', '');
  if (facts === undefined || facts.startedAt === undefined)
    return told(exit === undefined ? 'new' : 'interrupted', exit ?? '');
  // Stopped before it had begun: the state still tells of the run before.
  if (facts.ended === undefined && isLater && run.wanted === 'stopped' && isInOrder)
    return told('stopped', describeEnded('stopped'));
  if (facts.ended === undefined)
    return told('interrupted', `${exit ?? 'The last run was cut off.'} Nothing that was settled is lost.`);
  return told(facts.ended === 'stopped' ? 'stopped' : 'finished', describeEnded(facts.ended));
}

function busy(run: AppRun | undefined, activity: RunActivity, isPaused: boolean): Condition {
  const paused = isPaused ? 'It asks for nothing until it is resumed, on its control page.' : '';
  if (activity !== 'running') return told('running', `It was not started by this app. ${paused}`.trim());
  if (run?.wanted === 'stopped') return told('stopping', 'It finishes what is under way and saves.');
  return told('running', paused);
}

function told(condition: CrawlCondition, note: string): Condition {
  return { condition, note };
}
