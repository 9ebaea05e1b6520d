import { withoutIgnoredSpace } from './written-url.ts';

/**
 * The plain form of an address that no crawl fetches (file:, ftp:, http without a host), by syntax alone as RFC 3986
 * 6.2.2 has it: to show and to compare, never to follow. Undefined where the text is no such address.
 */
export function otherAddress(input: string): string | undefined {
  const parts = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]+)?/i.exec(withoutIgnoredSpace(input));
  if (parts === null) return undefined;
  const scheme = parts[1].toLowerCase();
  const authority = parts[2];
  const isWeb = scheme === 'http' || scheme === 'https';
  // A host that is none cannot be mended.
  if (isWeb && authority) return undefined;
  const path = parts[3].startsWith('/') ? withoutDotSegments(parts[3].replace(/\/{2,}/g, '/')) : parts[3];
  const shown = authority === undefined || (authority === '' && isWeb) ? '' : `//${authority.toLowerCase()}`;
  return `${scheme}:${shown}${path}${parts[4] ?? ''}`;
}

function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.slice(1).split('/');
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
    if (isLast && (segment === '.' || segment === '..')) kept.push('');
  }
  return `/${kept.join('/')}`;
}
