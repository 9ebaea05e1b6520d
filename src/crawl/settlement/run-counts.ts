import type { Settlement } from '../../contracts/crawl-task.ts';

/** What a run has come to so far. */
export class RunCounts {
  pages = 0;
  requests = 0;
  bytes = 0;
  failed = 0;
  refused = 0;

  count({ claim, outcome, use }: Settlement): void {
    if (use !== undefined && use.unsent !== true) this.requests++;
    this.bytes += use?.bytes ?? 0;
    if (claim.task.purpose !== 'page') return;
    // A page that is visited again is none more.
    const isFirst = claim.earlier?.digest === undefined;
    if (isFirst && (outcome.kind === 'stored' || outcome.kind === 'duplicate')) this.pages++;
    if (outcome.kind === 'failed' || outcome.kind === 'gone') this.failed++;
    if (outcome.kind === 'refused') this.refused++;
  }
}
