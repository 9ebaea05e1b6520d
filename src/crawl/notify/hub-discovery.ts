import { parseLinkHeaders } from '../content/link-header.ts';

/** Who tells of the news of a document, and the name under which. */
export interface HubDiscovery {
  readonly hubs: readonly string[];
  readonly self: string;
}

/** More are not looked at: one hub is enough. */
const MOST_HUBS = 4;
const LONGEST = 2000;

/**
 * The hubs of a document: by its Link header fields (RFC 8288), which come first in WebSub, then by what it says itself.
 * Undefined where it has none. A document without a name of its own is known by its address.
 */
export function discoverHub(
  linkHeaders: readonly string[],
  said: { readonly hubs?: readonly string[]; readonly self?: string } | undefined,
  url: string,
): HubDiscovery | undefined {
  const links = linkHeaders.some((field) => /\b(?:hub|self)\b/i.test(field)) ? parseLinkHeaders(linkHeaders) : [];
  const named = (token: string): string[] =>
    links
      .filter(({ rel }) => rel.split(' ').includes(token))
      .flatMap(({ target }) => URL.parse(target, url)?.href ?? []);
  const ofHeader = named('hub');
  const hubs = [...new Set([...ofHeader, ...(said?.hubs ?? [])])].filter((hub) => hub.length <= LONGEST);
  if (hubs.length === 0) return undefined;
  const self = named('self')[0] ?? said?.self ?? url;
  return self.length > LONGEST ? undefined : { hubs: hubs.slice(0, MOST_HUBS), self };
}
