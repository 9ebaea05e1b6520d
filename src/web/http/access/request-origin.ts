import type { IncomingHttpHeaders } from 'node:http';

/**
 * Why a request that changes something is not from a page of ours; undefined where nothing speaks against it. Any page can post to this
 * machine from a browser on it, loopback or not; browsers say where such a request comes from. Programs say nothing, and are no browsers.
 */
export function crossSiteReason({ origin, host, ...headers }: IncomingHttpHeaders): string | undefined {
  const site = headers['sec-fetch-site'];
  // 'same-site' is another port or another name of the same domain: not ours.
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'The request comes from a page of another site.';
  if (origin === undefined) return undefined;
  const from = URL.parse(origin);
  // A proxy in front of us speaks https; the name and the port stay what the browser asked for.
  const isOwn = from !== null && /^https?:$/.test(from.protocol) && from.host === writtenHost(host, from.protocol);
  return isOwn ? undefined : 'The request comes from a page of another site.';
}

function writtenHost(host: string | undefined, protocol: string): string | undefined {
  return host === undefined ? undefined : URL.parse(`${protocol}//${host}`)?.host;
}
