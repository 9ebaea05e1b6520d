import { fingerprint } from '../base/fingerprint.ts';
import type { HostKey } from '../contracts/url.ts';
import { registrableDomain, topLevelDomain } from '../url/public-suffix.ts';

/** 'site': hosts, or domains where politeness is kept by domain. 'hierarchy': top-level domains. */
export type PartitionBy = 'site' | 'hierarchy';

/** How hosts are spread over partitions: fixed for the life of a crawl. */
export interface HostSpread {
  readonly count: number;
  readonly byDomain: boolean;
  readonly by: PartitionBy;
}

/** The partition of a host, for life. Hosts that share a clock of politeness are in one. */
export function partitionOf(host: HostKey, spread: HostSpread): number {
  return spread.count === 1 ? 0 : Number(fingerprint(groupOf(host, spread)) % BigInt(spread.count));
}

/** Addresses have no hierarchy: each is by itself. */
function groupOf(host: HostKey, { byDomain, by }: HostSpread): string {
  const name = host.replace(/:\d+$/, '');
  if (by === 'hierarchy') return topLevelDomain(name) ?? host;
  return byDomain ? (registrableDomain(name) ?? host) : host;
}
