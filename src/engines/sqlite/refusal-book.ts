import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Fingerprint, fingerprint, fromSigned, toSigned } from '../../base/fingerprint.ts';
import type { CrawlTask, LinkRefusal, RefusedBy } from '../../contracts/crawl-task.ts';
import { SeenSet } from '../../frontier/seen-set.ts';
import type { Counters } from './counters.ts';

/** Links that were not let in, each URL once, and why. */
export class RefusalBook {
  readonly #counters: Counters;
  readonly #max: number;
  readonly #insert: StatementSync;
  readonly #withdraw: StatementSync;
  readonly #refused = new SeenSet();
  /** Those of them that no other link can help: the rule looked at the URL alone. */
  readonly #barred = new SeenSet();

  /** Beyond `max` refusals are only counted. */
  constructor(db: DatabaseSync, counters: Counters, max: number) {
    this.#counters = counters;
    this.#max = max;
    this.#insert = db.prepare('INSERT OR REPLACE INTO refusal (fp, by, rule, task, at) VALUES (?, ?, ?, ?, ?)');
    this.#withdraw = db.prepare('DELETE FROM refusal WHERE fp = ? RETURNING by');
    const rows = db.prepare('SELECT fp, by FROM refusal');
    rows.setReadBigInts(true);
    for (const row of rows.iterate() as Iterable<unknown>) {
      const { fp, by } = row as { fp: bigint; by: RefusedBy };
      this.#remember(fromSigned(fp), by);
    }
  }

  get bytes(): number {
    return this.#refused.bytes + this.#barred.bytes;
  }

  /** Whether judging another link to this URL is pointless. */
  bars(fp: Fingerprint): boolean {
    return this.#barred.has(fp);
  }

  write(refusal: LinkRefusal, now: number): void {
    const { fingerprint: _, ...task } = refusal.task;
    const fp = fingerprintOf(refusal.task);
    if (this.#refused.has(fp)) return;
    this.#counters.countRefusal(refusal.by);
    if (this.#refused.size >= this.#max) return;
    this.#remember(fp, refusal.by);
    this.#insert.run(toSigned(fp), refusal.by, refusal.rule, JSON.stringify(task), now);
  }

  /** Another link, or another rule, has let the URL in after all. */
  withdraw(fp: Fingerprint): void {
    if (!this.#refused.has(fp)) return;
    const row = this.#withdraw.get(toSigned(fp)) as { by: RefusedBy } | undefined;
    if (row !== undefined) this.#counters.withdrawRefusal(row.by);
  }

  #remember(fp: Fingerprint, by: RefusedBy): void {
    this.#refused.add(fp);
    if (by === 'scope' || by === 'url') this.#barred.add(fp);
  }
}

export function fingerprintOf(task: Pick<CrawlTask, 'fingerprint' | 'url'>): Fingerprint {
  return task.fingerprint ?? fingerprint(task.url);
}
