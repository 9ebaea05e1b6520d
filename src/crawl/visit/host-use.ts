import type { Claim, HostUse, Pushback } from '../../contracts/crawl-task.ts';
import type { Exchange, FetchResult, ResponseHead } from '../../contracts/fetcher.ts';
import { classifyStatus, failureRule, readRetryAfter } from '../../fetch/failure-table.ts';

/** What a request cost the host that was asked. */
export function useOf(exchange: Exchange, bytes: number): HostUse {
  return {
    // Also where this process was late to notice: a server may have been slow all the while, and too long a rest harms nobody.
    fetchMs: Math.max(0, exchange.endedAt - exchange.startedAt),
    bytes,
    // The clock counts whole milliseconds, cut off: the next one is the first that is surely not before the end.
    endedAt: exchange.endedAt + 1,
    ...(exchange.address === '' ? {} : { address: exchange.address }),
  };
}

export function useOfResult(result: FetchResult, now: number): HostUse {
  switch (result.kind) {
    case 'response':
      return useOf(result.exchange, result.raw.byteLength);
    case 'unwanted':
      return useOf(result.exchange, 0);
    case 'failed':
      return result.exchange === undefined
        ? { fetchMs: 0, bytes: result.bytes, endedAt: now, unsent: true }
        : useOf(result.exchange, result.bytes);
    case 'refused':
      return { fetchMs: 0, bytes: 0, endedAt: now, unsent: true };
  }
}

/**
 * How long the server asks to be left alone. A date is counted from the end of the request, as the ledger counts the wait:
 * counted from now, the host would be asked too soon by as long as this process took to get here.
 */
export function retryAfterOf(head: ResponseHead, { endedAt }: HostUse): number | undefined {
  return readRetryAfter(head, endedAt);
}

/** The use of the host, with the rest that a host is to have which asks for patience or cannot be reached, whatever it was asked for. */
export function restedUse(result: FetchResult, now: number): HostUse {
  const use = useOfResult(result, now);
  if (result.kind === 'failed')
    return failureRule(result.code).restHost ? { ...use, pushback: unreachableBy(result, result.code) } : use;
  if (result.kind !== 'response') return use;
  const { status } = result.head;
  const retryAfterMs = retryAfterOf(result.head, use);
  if (!classifyStatus(status).pushback && (retryAfterMs === undefined || status < 500)) return use;
  const told = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { ...use, pushback: { kind: 'busy', why: `HTTP ${status}`, ...told } };
}

/** The date that the archive gives an exchange. For people: what is measured is measured with `startedAt`. */
export function recordDate({ startedAt, date = startedAt }: Exchange): number {
  return date;
}

export function unreachableBy(result: FetchResult, why: string): Pushback {
  const final = result.kind === 'failed' && result.code === 'dns-not-found';
  // What is wrong lies with the proxies, whichever host was asked: the reason names them.
  const reason = result.kind === 'failed' && result.code === 'proxy-failed' ? result.detail : why;
  return { kind: 'unreachable', why: reason, ...(final ? { final } : {}) };
}

/** Lines of the metadata record in the archive. */
export function metadataOf(claim: Claim, use: HostUse, charset?: string): Record<string, string | number> {
  const { depth, discovery } = claim.task;
  return {
    ...(discovery.from === undefined ? {} : { via: discovery.from }),
    hopsFromSeed: depth,
    fetchTimeMs: Math.round(use.fetchMs),
    ...(charset === undefined ? {} : { charset }),
  };
}
