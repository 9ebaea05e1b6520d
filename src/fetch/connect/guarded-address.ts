import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import { AddressRefused, ConnectFailure } from './connection.ts';
import type { DnsCache } from './dns-cache.ts';

/** The first address of a host that may be connected to: for whoever opens connections without the HTTP client. */
export async function guardedAddress(
  hostname: string,
  port: number,
  dns: Pick<DnsCache, 'resolve'>,
  guard: AddressGuard,
): Promise<string> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const answer = isIP(name) === 0 ? await dns.resolve(name) : { kind: 'found' as const, addresses: [name] };
  if (answer.kind !== 'found')
    throw new ConnectFailure(answer.kind === 'failed' ? 'dns-failed' : 'dns-not-found', answer.detail);
  let refusal: AddressRefused | undefined;
  for (const address of answer.addresses) {
    const verdict = guard.check(address, name, port);
    if (verdict.allowed) return address;
    refusal ??= new AddressRefused(`${verdict.why} address ${address}`);
  }
  throw refusal ?? new ConnectFailure('dns-not-found', 'no address');
}
