import type { Link } from '../../contracts/content/page.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';

/** A page that links to more hosts than this is a list of links; the first of them tell enough. */
const MOST_HOSTS = 100;

/** The other hosts that a page vouches for: links with rel=nofollow, ugc or sponsored vouch for nobody. */
export function outHostsOf(links: readonly Link[], url: CanonicalUrl): HostKey[] {
  const own = `${originOf(url)}/`;
  const ownHost = hostKeyOf(url);
  const found = new Set<HostKey>();
  for (const link of links) {
    // A slice is compared in a third of the time that startsWith takes, and nearly all links are asked.
    if (link.url.slice(0, own.length) === own || link.nofollow || link.ugc || link.sponsored || link.kind === 'form')
      continue;
    const host = hostKeyOf(link.url as CanonicalUrl);
    if (host !== ownHost && host !== '') found.add(host);
    if (found.size >= MOST_HOSTS) break;
  }
  return [...found];
}
