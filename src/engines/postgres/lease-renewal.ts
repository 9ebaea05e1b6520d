import type { Clock } from '../../base/clock.ts';
import type { PostgresPartitions } from './postgres-partitions.ts';

/** Leases are renewed so often before they run out. */
const RENEWALS_PER_LEASE = 3;

/** Renews all leases of a node while it lives. Where the database cannot be reached no request begins after their deadline. */
export class LeaseRenewal implements AsyncDisposable {
  readonly #ended = new AbortController();
  readonly #loop: Promise<void>;

  constructor(partitions: Pick<PostgresPartitions, 'renewAll'>, clock: Clock, leaseMs: number) {
    this.#loop = this.#run(partitions, clock, leaseMs / RENEWALS_PER_LEASE);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#loop;
  }

  async #run(partitions: Pick<PostgresPartitions, 'renewAll'>, clock: Clock, everyMs: number): Promise<void> {
    const { signal } = this.#ended;
    for (;;) {
      await clock.sleep(everyMs, signal);
      if (signal.aborted) return;
      // Tried again next time; what is lost by then is told by the partition itself.
      await partitions.renewAll().catch(() => {});
    }
  }
}
