import type { RequestLog } from '../../src/simulate/server/request-log.ts';

/** How much later than it was due the honest hosts were asked, in ms. */
export interface Lateness {
  readonly requests: number;
  readonly median: number;
  readonly p99: number;
  readonly most: number;
  /** Requests more than a second late. */
  readonly overSecond: number;
}

/** At either end of a host's requests its queue may be empty: then nothing is due. */
const ENDS_SHARE = 0.1;

/**
 * A host is due `delayMs` after its last answer, as long as it has URLs waiting. Whatever comes later was kept waiting: by
 * the machine, or by what the crawler did for other hosts.
 */
export function lateness(log: RequestLog, delayMs: number): Lateness {
  const byHost = new Map<number, { arrive: number; done: number }[]>();
  for (const { host, arrive, done } of log) {
    const list = byHost.get(host) ?? [];
    byHost.set(host, list);
    list.push({ arrive, done });
  }
  const late: number[] = [];
  for (const list of byHost.values()) {
    list.sort((a, b) => a.arrive - b.arrive);
    const end = Math.ceil(list.length * ENDS_SHARE);
    for (let i = Math.max(1, end); i < list.length - end; i++) late.push(list[i].arrive - list[i - 1].done - delayMs);
  }
  late.sort((a, b) => a - b);
  const at = (share: number): number => late[Math.min(late.length - 1, Math.floor(share * late.length))] ?? 0;
  return {
    requests: late.length,
    median: at(0.5),
    p99: at(0.99),
    most: late.at(-1) ?? 0,
    overSecond: late.filter((ms) => ms > 1000).length,
  };
}
