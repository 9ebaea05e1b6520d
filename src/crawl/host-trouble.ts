import type { Clock } from '../base/clock.ts';
import type { CrawlEvents } from '../contracts/events.ts';
import type { HostRecord, PageStore } from '../contracts/page-store.ts';
import type { HostKey } from '../contracts/url.ts';
import { type PolitenessPolicy, unreachableLimitOf } from '../frontier/politeness.ts';
import { originOf } from '../url/host-key.ts';
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
  { holdUntil, parked, pushbacks, pages, bytes }: HostRecord,
  { clock, politeness, revisits }: HostTroubleParts,
): string {
  const why = describeReason(pushback?.why ?? (outcome.kind === 'failed' ? outcome.code : outcome.kind));
  const what = `${originOf(claim.task.url)}: ${why}`;
  if (parked !== undefined) return `${what}; gives up on this host, its URLs are kept for the next run`;
  const seconds = Math.max(1, Math.round((Math.max(holdUntil, retryAt) - clock.now()) / 1000));
  const again = `${what}; tries again in ${seconds} s`;
  if (revisits === true || pushback?.kind !== 'unreachable') return again;
  const left = unreachableLimitOf(politeness, pages > 0 || bytes > 0) - pushbacks;
  return Number.isFinite(left) ? `${again}, ${left} ${left === 1 ? 'try' : 'tries'} left` : again;
}

const REASONS: Readonly<Record<string, string>> = {
  'connect-refused': 'connection refused',
  'connect-timeout': 'no connection in time',
  'connect-failed': 'no connection',
  'dns-not-found': 'there is no such host name',
  'dns-failed': 'the host name cannot be looked up',
  'headers-timeout': 'no answer in time',
  'tls-failed': 'TLS handshake failed',
  reset: 'the server closes the connection',
};

/** A dead host fails at its robots.txt first, which adds nothing to the reason; nor does the code of the operating system. */
function describeReason(why: string): string {
  const [, code = ''] = /^(?:robots\.txt: )?([a-z-]+)/.exec(why) ?? [];
  return Object.hasOwn(REASONS, code) ? REASONS[code] : why;
}
