import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { FILES_HOST } from '../../url/host-key.ts';

/** Behind each label of a host. Below every octet that a canonical URL holds, so that a domain and its hosts are one range. */
const LABEL_END = '\u0002';
/** Behind the host. */
const HOST_END = '\u0001';
const PORT = `${LABEL_END}:`;
/** Before what is no canonical URL: kept as it is. */
const AS_WRITTEN = '\u0000';

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['http', 'h'],
  ['https', 's'],
  ['file', 'f'],
]);
const CODES: ReadonlyMap<string, string> = new Map([...SCHEMES].map(([scheme, code]) => [code, scheme]));

/**
 * What URLs are sorted by: the labels of the host in reverse order, as in SURT keys, then the scheme, path and query as they are. Each
 * character stands for one octet, so that the order of keys is that of their bytes. Unlike a SURT key it gives back its URL (`urlOfKey`).
 *
 * The URLs of a host are one range of keys (`hostPrefix`), and so are those of a domain with all its hosts (`domainPrefix`).
 */
export function keyOfUrl(url: string): string {
  const schemeEnd = url.indexOf('://');
  const code = SCHEMES.get(url.slice(0, Math.max(0, schemeEnd)));
  const pathStart = url.indexOf('/', schemeEnd + 3);
  if (code === undefined || pathStart === -1 || !isPlain(url)) {
    return AS_WRITTEN + Buffer.from(url, 'utf8').toString('latin1');
  }
  return `${labelsOf(url.slice(schemeEnd + 3, pathStart))}${HOST_END}${code}${url.slice(pathStart)}`;
}

export function urlOfKey(key: string): CanonicalUrl {
  if (key.startsWith(AS_WRITTEN)) return Buffer.from(key.slice(1), 'latin1').toString('utf8') as CanonicalUrl;
  const hostEnd = key.indexOf(HOST_END);
  const scheme = CODES.get(key.charAt(hostEnd + 1));
  return `${scheme}://${hostOf(key.slice(0, hostEnd))}${key.slice(hostEnd + 2)}` as CanonicalUrl;
}

/** Octets of the URL that a key stands for. */
export function urlLength(key: string): number {
  if (key.startsWith(AS_WRITTEN)) return key.length - 1;
  const hostEnd = key.indexOf(HOST_END);
  const scheme = CODES.get(key.charAt(hostEnd + 1)) ?? '';
  const port = key.lastIndexOf(PORT, hostEnd) === -1 ? 0 : 1;
  // Two signs that only keys have, the end of the last label, and that of a port, which no dot precedes.
  return key.length - 3 - port + scheme.length + '://'.length;
}

/** What all keys of a host begin with, whatever the scheme. */
export function hostPrefix(host: HostKey): string {
  return labelsOf(host === FILES_HOST ? '' : host) + HOST_END;
}

/** What all keys of a domain, its sub-domains and their ports begin with. */
export function domainPrefix(domain: string): string {
  return labelsOf(domain);
}

/** `www.example.com:81` -> `com`, `example`, `www`, `:81`, each with its end. Addresses are not names: they are one label. */
function labelsOf(host: string): string {
  const colon = host.indexOf(':', host.startsWith('[') ? host.indexOf(']') : 0);
  const name = colon === -1 ? host : host.slice(0, colon);
  const last = name.charCodeAt(name.lastIndexOf('.') + 1);
  const isAddress = name.startsWith('[') || (last >= 0x30 && last <= 0x39);
  const labels = isAddress ? name : name.split('.').reverse().join(LABEL_END);
  const port = colon === -1 ? '' : host.slice(colon) + LABEL_END;
  return labels + LABEL_END + port;
}

function hostOf(written: string): string {
  const labels = written.split(LABEL_END).slice(0, -1);
  const port = labels.length > 1 && labels[labels.length - 1].startsWith(':') ? labels.pop() : '';
  return labels.reverse().join('.') + port;
}

/** ASCII without the octets that have a meaning in keys. */
function isPlain(url: string): boolean {
  for (let at = 0; at < url.length; at++) {
    const unit = url.charCodeAt(at);
    if (unit <= 0x02 || unit > 0x7e) return false;
  }
  return true;
}
