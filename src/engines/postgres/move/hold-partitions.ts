import type { Clock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { PartitionLease } from '../../../contracts/state/partitions.ts';
import type { StepRunner } from '../connection.ts';
import type { CrawlSpread } from '../crawl-spread.ts';
import { LeaseRenewal } from '../lease-renewal.ts';
import { PostgresPartitions } from '../postgres-partitions.ts';
import { STEPS } from '../statements.ts';

/** One that was cut off takes at once what it had: it goes by the same name. */
const NAME = 'migration';
const LEASE_MS = 30_000;

export interface HeldPartitions extends AsyncDisposable {
  readonly partitions: PostgresPartitions;
  readonly leases: readonly PartitionLease[];
}

/** Takes all partitions of a crawl, so that nobody works on it until they are given back. Refused where somebody does. */
export async function holdPartitions(
  store: StepRunner,
  { id: _, ...spread }: CrawlSpread,
  clock: Clock,
): Promise<HeldPartitions> {
  await using opened = new AsyncDisposableStack();
  const storeTime = async (): Promise<number> => Number((await store.run([[STEPS.time]]))[0][0].now);
  const partitions = new PostgresPartitions({
    ...{ store, clock, storeTime, node: NAME, leaseMs: LEASE_MS, ...spread },
  });
  opened.defer(() => partitions.releaseAll());
  const leases = await partitions.acquire(spread.count);
  if (leases.length < spread.count)
    throw new OrbweaverError('FOLDER_IN_USE', 'Somebody is at work on the crawl in this database.', {
      remedy:
        'Stop its nodes (orbweaver cluster shows them) and try again; those of one that was killed are free after its lease.',
    });
  opened.use(new LeaseRenewal(partitions, clock, LEASE_MS));
  const parts = opened.move();
  return { partitions, leases, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** Clocks that agree so far count as one: times are the same there and back. */
const ONE_CLOCK_MS = 100;

/** What the clock of the store is ahead; 0 where both may show the same time, as far as an answer that took its time can tell. */
export async function clockShift(store: StepRunner, clock: Clock): Promise<number> {
  const asked = clock.now();
  const [[{ now }]] = await store.run([[STEPS.time]]);
  const answered = clock.now();
  const ahead = Number(now) - answered;
  const behind = asked - Number(now);
  if (ahead < ONE_CLOCK_MS && behind < ONE_CLOCK_MS) return 0;
  return Math.round(Number(now) - (asked + answered) / 2);
}
