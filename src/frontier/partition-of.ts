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

/** Most partitions of a crawl: a document has the number of its partition in its own, so that no two nodes give the same. */
const STEP = 2 ** 14;

/** The partition that a document of a crawl of several nodes is numbered in. */
export function documentIn(document: number): number {
  return document % STEP;
}

/** The number of a document, by its place in a partition. */
export function documentNumber(place: number, partition: number): number {
  return place * STEP + partition;
}

/** The place of a document in its partition. */
export function documentPlace(document: number): number {
  return Math.floor(document / STEP);
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
