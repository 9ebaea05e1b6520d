import { getDomain, parse } from 'tldts';

/**
 * Private suffixes count (github.io, blogspot.com …): pages below them belong to different people, so a crawl scoped
 * to one must not run into the others. That they may share machines is the business of politeness by address.
 */
const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** The name below the public suffix: `example.co.uk` for `www.example.co.uk`. None for addresses and suffixes. */
export function registrableDomain(hostname: string): string | undefined {
  if (hostname.startsWith('.') || isAddress(hostname)) return undefined;
  return getDomain(hostname.toLowerCase(), options) ?? undefined;
}

/** Whether a name ends in a domain that is given out, or is an address: it could be a host of the web. */
export function hasPublicSuffix(name: string): boolean {
  if (isAddress(name)) return true;
  const { isIcann, isPrivate, publicSuffix } = parse(name.toLowerCase(), options);
  return name.includes('.') && publicSuffix !== null && (isIcann === true || isPrivate === true);
}

/** The last label: `uk` for `www.example.co.uk`. None for addresses and for names of one label. */
export function topLevelDomain(hostname: string): string | undefined {
  const dot = hostname.lastIndexOf('.');
  return dot === -1 || dot === hostname.length - 1 || isAddress(hostname)
    ? undefined
    : hostname.slice(dot + 1).toLowerCase();
}

/** Canonical host names end in digits only where they are IPv4 addresses; IPv6 ones stand in brackets. */
function isAddress(hostname: string): boolean {
  return hostname.includes(':') || /(?:^|\.)\d+$/.test(hostname);
}
