import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { PageWeight } from '../../contracts/revisit.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { createRevisitPlanner } from '../../revisit/revisit-planner.ts';
import type { EndReason } from '../conductor.ts';
import type { RunRecord } from '../report/run-record.ts';
import { ContinuousRevisits } from './continuous-revisits.ts';
import { FeedClock } from './feed-clock.ts';
import type { RevisitRule } from './revisit-rule.ts';

/** One more visit of every known page; kept in the state under the name 'round'. */
export interface RoundRecord {
  readonly startedAt: number;
  /** Every page that was known then waits for its visit, or has had it. */
  readonly planned?: true;
  readonly endedAt?: number;
  /** How the visits to known pages had ended by then, for all rounds before; absent in folders of earlier versions. */
  readonly revisitsBefore?: Readonly<Record<string, number>>;
}

type ReadValue = <T>(name: string) => T | undefined;

/** The round that a run belongs to: one that is unfinished, or a new one where the crawl is over and the user asks for it. */
export function roundOf(read: ReadValue, isAsked: boolean, now: number): RoundRecord | undefined {
  const before = read<RoundRecord>('round');
  if (before !== undefined && before.endedAt === undefined) return before;
  return isAsked && isOver(read<RunRecord>('run')?.ended) ? { startedAt: now } : undefined;
}

/** Whether a run came to an end of its own: one that was stopped or killed goes on first. */
export function isOver(ended: EndReason | undefined): boolean {
  return ended !== undefined && ended !== 'stopped' && ended !== 'limit: max-duration';
}

/** Plans the visits of a round. Cut off, it goes on where it was. */
export async function planRound(state: OwnedPartition, round: RoundRecord): Promise<RoundRecord> {
  if (round.planned === true) return round;
  const why = `one more round, asked for on ${new Date(round.startedAt).toISOString().slice(0, 10)}`;
  await state.planRound(round.startedAt, why);
  const { revisits = {} } = await state.pages.totals();
  const planned = { ...round, planned: true, revisitsBefore: revisits } as const;
  state.write('round', planned);
  return planned;
}

/** How the visits of a round ended, of those of all rounds. */
export function revisitsOfRound(
  all: Readonly<Record<string, number>>,
  { revisitsBefore = {} }: RoundRecord,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(all)
      .map(([kind, count]) => [kind, count - (revisitsBefore[kind] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}

export interface RoundRuleParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly weightOf: (url: CanonicalUrl) => PageWeight;
}

/** Tells what has changed as a continuous crawl does, and plans no further visit. */
export function roundRule({ settings, clock, random, weightOf }: RoundRuleParts): RevisitRule {
  const { revisitPolicy: policy, revisitMin: minIntervalMs, revisitMax: maxIntervalMs } = settings;
  const planner = createRevisitPlanner({ policy, minIntervalMs, maxIntervalMs, random, now: clock.now() });
  const feeds = new FeedClock({ floor: minIntervalMs, ceiling: maxIntervalMs });
  const rule = new ContinuousRevisits({ planner, feeds, weightOf, minIntervalMs, maxIntervalMs, random });
  return {
    after(visit) {
      const { change, history } = rule.after(visit);
      return { ...(change === undefined ? {} : { change }), ...(history === undefined ? {} : { history }) };
    },
  };
}
