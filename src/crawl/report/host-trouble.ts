import type { Clock } from '../../base/clock.ts';
import type { CrawlEvents } from '../../contracts/events.ts';
import type { HostRecord, PageStore } from '../../contracts/page-store.ts';
import type { PolitenessPolicy } from '../../contracts/state/frontier-options.ts';
import type { HostKey } from '../../contracts/url.ts';
import { originOf } from '../../url/host-key.ts';
import { describeHostTrouble, describeReason, triesAgain, unreachableLimits } from './describe-host-trouble.ts';
import type { EventHub } from './event-hub.ts';

export interface HostTroubleParts {
  readonly events: EventHub<CrawlEvents>;
  readonly pages: Pick<PageStore, 'host'>;
  readonly clock: Clock;
  readonly politeness: PolitenessPolicy;
  /** A continuous crawl never gives up a host. */
  readonly revisits?: boolean;
}

/** A broad crawl meets dead hosts all the time. */
const HOSTS_REPORTED = 10;

/**
 * Warns at the first failure of a host, with the reason and with what follows: a crawl of a dead server waits for minutes before it
 * ends. Each host is reported once, and only the first few hosts of a run.
 */
export function reportHostTrouble(parts: HostTroubleParts): Disposable {
  const { events, pages } = parts;
  const reported = new Set<HostKey>();
  const listener = events.on('settled', (settled) => {
    const { pushback, retryAt, claim } = settled;
    const { host } = claim.task;
    if ((pushback === undefined && retryAt === undefined) || reported.has(host)) return;
    void pages.host(host).then(
      (record) => {
        // A URL that fails on a host that gives others is no trouble of the host.
        if (record === undefined || reported.has(host) || (pushback === undefined && record.pages > 0)) return;
        // Several hosts may have failed before the listener was removed.
        if (reported.size > HOSTS_REPORTED) return;
        reported.add(host);
        if (reported.size > HOSTS_REPORTED) listener[Symbol.dispose]();
        const message =
          reported.size > HOSTS_REPORTED
            ? 'More hosts do not answer. The command "status" lists hosts, "explain" the reason.'
            : describeTrouble(settled, record, parts);
        events.emit('warning', { code: 'HOST_TROUBLE', message });
      },
      // The state was closed or cannot be read: `run` reports that.
      () => {},
    );
  });
  return listener;
}

function describeTrouble(
  { claim, outcome, pushback, retryAt = 0 }: CrawlEvents['settled'],
  record: HostRecord,
  { clock, politeness, revisits = false }: HostTroubleParts,
): string {
  const now = clock.now();
  const { reason, next } =
    pushback === undefined && record.parked === undefined
      ? {
          reason: describeReason(outcome.kind === 'failed' ? outcome.code : outcome.kind),
          next: triesAgain(Math.max(record.holdUntil, retryAt), now),
        }
      : describeHostTrouble(record, now, unreachableLimits(politeness, revisits));
  return `${originOf(claim.task.url)}: ${reason}; ${next}`;
}
