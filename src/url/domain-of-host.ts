import type { HostKey } from '../contracts/url.ts';
import { registrableDomain } from './public-suffix.ts';

export type DomainOfHost = (host: HostKey) => string;

/** Finding the public suffix takes longer than all else that is done with a link to another host. */
const REMEMBERED = 20_000;

/** The registrable domain of a host; an address, or a name of one label, is its own. */
export function rememberDomains(): DomainOfHost {
  const known = new Map<HostKey, string>();
  return (host) => {
    const before = known.get(host);
    if (before !== undefined) return before;
    const name = host.replace(/:\d+$/, '');
    const domain = registrableDomain(name) ?? name;
    if (known.size >= REMEMBERED) known.clear();
    known.set(host, domain);
    return domain;
  };
}
