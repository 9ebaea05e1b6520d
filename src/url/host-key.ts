import type { CanonicalUrl, HostKey, Origin } from '../contracts/url.ts';

const COLON = 0x3a;

/** All files of this machine are one host: its disk. No host of the web can have this key, for behind a colon stands a port. */
export const FILES_HOST = 'file:' as HostKey;

// The canonical form is scheme://host[:port]/… without credentials, so that slicing is parsing enough.

/** What politeness is kept by: the host, with its port where that is not the default one; of files the disk. */
export function hostKeyOf(url: CanonicalUrl): HostKey {
  const start = hostStart(url);
  const host = url.slice(start, url.indexOf('/', start)) as HostKey;
  return host === '' ? FILES_HOST : host;
}

/** scheme://host[:port] */
export function originOf(url: CanonicalUrl): Origin {
  return url.slice(0, url.indexOf('/', hostStart(url)));
}

/** The host without its port; IPv6 addresses keep their brackets. */
export function hostnameOf(url: CanonicalUrl): string {
  const start = hostStart(url);
  const end = url.indexOf('/', start);
  const colon = url.charCodeAt(start) === 0x5b ? url.indexOf(':', url.indexOf(']', start)) : url.indexOf(':', start);
  return url.slice(start, colon !== -1 && colon < end ? colon : end);
}

/** Path and query. */
export function pathOf(url: CanonicalUrl): string {
  return url.slice(url.indexOf('/', hostStart(url)));
}

function hostStart(url: CanonicalUrl): number {
  if (url.charCodeAt(4) === COLON) return 7;
  return url.charCodeAt(5) === COLON ? 8 : url.indexOf('://') + 3;
}
