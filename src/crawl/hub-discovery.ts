import type { ResponseHead } from '../contracts/fetcher.ts';
import type { Understood } from './understood.ts';

/** Who tells of the news of a document, and the name under which. */
export interface HubDiscovery {
  readonly hubs: readonly string[];
  readonly self: string;
}

/** More are not looked at: one hub is enough. */
const MOST_HUBS = 4;
const MOST_LINKS = 50;
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
  const links = linkHeaders.flatMap((header) => linksOfHeader(header, url)).slice(0, MOST_LINKS);
  const ofHeader = links.filter(({ rels }) => rels.includes('hub')).map((link) => link.url);
  const hubs = [...new Set([...ofHeader, ...(said?.hubs ?? [])])].filter((hub) => hub.length <= LONGEST);
  if (hubs.length === 0) return undefined;
  const self = links.find(({ rels }) => rels.includes('self'))?.url ?? said?.self ?? url;
  return self.length > LONGEST ? undefined : { hubs: hubs.slice(0, MOST_HUBS), self };
}

interface HeaderLink {
  readonly url: string;
  readonly rels: readonly string[];
}

/** A target in angle brackets, then parameters, quoted or not, up to the comma that begins the next. */
const LINK = /<([^<>]{1,4000})>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+\s*(?:=\s*(?:"(?:[^"\\]|\\.){0,1000}"|[^\s",;]*))?)*)/g;
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g;

function linksOfHeader(header: string, base: string): HeaderLink[] {
  if (!/\b(?:hub|self)\b/i.test(header)) return [];
  return [...header.slice(0, 16_384).matchAll(LINK)].flatMap(([, target, parameters]) => {
    const rel = [...parameters.matchAll(PARAMETER)].find(([, name]) => name.toLowerCase() === 'rel');
    const url = URL.parse(target.trim(), base);
    if (rel === undefined || url === null) return [];
    return [{ url: url.href, rels: (rel[2] ?? rel[3] ?? '').toLowerCase().split(/\s+/) }];
  });
}

/** Cheap enough to be done whether or not anybody wants to know. */
export function hubOf(head: ResponseHead, understood: Understood | undefined, url: string): { hub?: HubDiscovery } {
  const hub = discoverHub(headerValues(head.rawHeaders, 'link'), understood, url);
  return hub === undefined ? {} : { hub };
}

export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // Lengths first: few names are as long, and lower case is made anew for each of them.
    if (rawHeaders[at].length === name.length && rawHeaders[at].toLowerCase() === name) values.push(rawHeaders[at + 1]);
  }
  return values;
}
