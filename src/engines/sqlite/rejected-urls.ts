import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Fingerprint, fingerprint, fromSigned, toSigned } from '../../base/fingerprint.ts';
import type { CrawlTask, LinkRefusal, RefusedBy, Settlement } from '../../contracts/crawl-task.ts';
import { SeenSet } from '../../frontier/seen-set.ts';
import type { Counters } from './counters.ts';

/** Links that were not let in, each URL once, and why. */
export class RejectedUrls {
  readonly #counters: Counters;
  readonly #max: number;
  readonly #insert: StatementSync;
  readonly #withdraw: StatementSync;
  readonly #held: StatementSync;
  readonly #refused = new SeenSet();
  /** Those of them that no other link can help: the rule looked at the URL alone, or they are judged again by themselves. */
  readonly #barred = new SeenSet();

  /** Beyond `max` refusals are only counted, but for those that the crawl may take back: their URLs are nowhere else. */
  constructor(db: DatabaseSync, counters: Counters, max: number) {
    this.#counters = counters;
    this.#max = max;
    this.#insert = db.prepare('INSERT OR REPLACE INTO refusal (fp, by, rule, task, at) VALUES (?, ?, ?, ?, ?)');
    this.#held = db.prepare('SELECT 1 FROM refusal WHERE fp = ?');
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

  /** A URL that had been let in before is held back: it may come in once more. */
  holds(fp: Fingerprint): boolean {
    return this.#refused.has(fp) && this.#held.get(toSigned(fp)) !== undefined;
  }

  write(refusal: LinkRefusal, now: number): void {
    if (this.#refused.has(fingerprintOf(refusal.task))) return;
    if (this.#refused.size >= this.#max && !isReversible(refusal.by)) this.#counters.countRefusal(refusal.by);
    else this.#insertRow(refusal, now);
  }

  /** Of a URL that was let in, and refused when its turn came. Kept however many there are: nobody else knows it. */
  holdBack(refusal: LinkRefusal, now: number): void {
    this.#insertRow(refusal, now);
  }

  #insertRow(refusal: LinkRefusal, now: number): void {
    const { fingerprint: _, ...task } = refusal.task;
    const fp = fingerprintOf(refusal.task);
    this.#counters.countRefusal(refusal.by);
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
    if (by === 'scope' || by === 'url' || isReversible(by)) this.#barred.add(fp);
  }
}

export function fingerprintOf(task: Pick<CrawlTask, 'fingerprint' | 'url'>): Fingerprint {
  return task.fingerprint ?? fingerprint(task.url);
}

/** What a settlement refuses unrequested, for a reason that may pass (what was learnt, patterns that have changed): not done with. */
export function heldBack({ claim, outcome, use }: Settlement): LinkRefusal | undefined {
  if (outcome.kind !== 'refused' || use !== undefined) return undefined;
  const { by, rule } = outcome;
  return isReversible(by) || by === 'scope' ? { task: claim.task, by, rule } : undefined;
}

function isReversible(by: RefusedBy): boolean {
  return by === 'trap' || by === 'mirror' || by === 'budget';
}
