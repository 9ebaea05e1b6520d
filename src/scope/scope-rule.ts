import type { Settings } from '../base/settings/schema.ts';
import type { CanonicalUrl, HostKey } from '../contracts/url.ts';
import type { FilterVerdict } from '../contracts/url-filter.ts';
import { hostKeyOf, hostnameOf, pathOf } from '../url/host-key.ts';
import { registrableDomain, topLevelDomain } from '../url/public-suffix.ts';
import { ADMIT, type Rule, refuse } from './rule.ts';

/** Where a crawl may go. It begins at the seeds; what a seed redirects to is a beginning too. */
export interface ScopeRule extends Rule {
  /** What began at `from` goes on at `to`. True where more is let in than before. */
  widen(to: CanonicalUrl, from?: CanonicalUrl): boolean;
}

/** How far from the seeds. Names without a domain of their own (addresses, localhost) stand for themselves, with their port. */
export function createScopeRule(scope: Settings['scope'], seeds: readonly CanonicalUrl[]): ScopeRule {
  switch (scope) {
    case 'any':
      return { name: 'scope any', judge: () => ADMIT, widen: () => false };
    case 'host':
      return hostRule(seeds);
    case 'domain':
      return groupRule('domain', 'a seed domain', domainOf, seeds);
    case 'tld':
      return groupRule(
        'tld',
        'a seed top-level domain',
        (url) => topLevelDomain(hostnameOf(url)) ?? hostKeyOf(url),
        seeds,
      );
    case 'directory':
      return directoryRule(seeds);
  }
}

function domainOf(url: CanonicalUrl): string {
  return registrableDomain(hostnameOf(url)) ?? hostKeyOf(url);
}

function hostRule(seeds: readonly CanonicalUrl[]): ScopeRule {
  const hosts = new Set(seeds.map(hostKeyOf));
  return {
    name: 'scope host',
    judge: (task) => (hosts.has(task.host) ? ADMIT : refuse('scope', `scope host: ${task.host} is not a seed host`)),
    widen: (to) => hosts.size < hosts.add(hostKeyOf(to)).size,
  };
}

/** Verdicts are kept per host: finding the domain of a name costs more than all other rules together. */
const MAX_KEPT_VERDICTS = 10_000;

function groupRule(
  scope: 'domain' | 'tld',
  what: string,
  groupOf: (url: CanonicalUrl) => string,
  seeds: readonly CanonicalUrl[],
): ScopeRule {
  const groups = new Set(seeds.map(groupOf));
  const domains = new Set<string>();
  const verdicts = new Map<HostKey, FilterVerdict>();
  const verdictOn = (url: CanonicalUrl): FilterVerdict => {
    const group = groupOf(url);
    if (groups.has(group) || (domains.size > 0 && domains.has(domainOf(url)))) return ADMIT;
    return refuse('scope', `scope ${scope}: ${group} is not ${what}`);
  };
  return {
    name: `scope ${scope}`,
    judge(task) {
      let verdict = verdicts.get(task.host);
      if (verdict === undefined) {
        verdict = verdictOn(task.url);
        if (verdicts.size >= MAX_KEPT_VERDICTS) verdicts.clear();
        verdicts.set(task.host, verdict);
      }
      return verdict;
    },
    // By its domain with `tld` too: one redirect must not open a whole top-level domain.
    widen(to) {
      if (verdictOn(to).admit) return false;
      domains.add(domainOf(to));
      verdicts.clear();
      return true;
    },
  };
}

function directoryRule(seeds: readonly CanonicalUrl[]): ScopeRule {
  const directories = new Map<HostKey, string[]>();
  const single = new Set<CanonicalUrl>();
  const bySite = new Map<string, string[]>();
  const add = (url: CanonicalUrl): boolean => {
    const host = hostKeyOf(url);
    const known = directories.get(host) ?? [];
    const directory = directoryOf(url);
    if (known.some((other) => directory.startsWith(other))) return false;
    directories.set(host, [...known, directory]);
    bySite.set(siteOf(host), [...(bySite.get(siteOf(host)) ?? []), directory]);
    return true;
  };
  for (const seed of seeds) add(seed);
  return {
    name: 'scope directory',
    judge(task) {
      if (single.has(task.url)) return ADMIT;
      const allowed = directories.get(task.host);
      if (allowed === undefined) return refuse('scope', `scope directory: ${task.host} is not a seed host`);
      const start = task.url.length - pathOf(task.url).length;
      for (const directory of allowed) if (isBelow(directory, task.url, start)) return ADMIT;
      return refuse('scope', `scope directory: not below ${allowed.join(' or ')}`);
    },
    // Upwards (to the front page, to a login) only the page itself: its folder would hold more than was asked for. Whatever
    // the way there: over another host, or to the same one with or without www.
    widen(to) {
      const directory = directoryOf(to);
      const known = bySite.get(siteOf(hostKeyOf(to))) ?? [];
      if (!known.some((below) => below !== directory && below.startsWith(directory))) return add(to);
      single.add(to);
      return false;
    },
  };
}

function siteOf(host: HostKey): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

/** Up to the last slash of the path: /docs/ for /docs/ and for /docs/index.html, but / for /docs. */
function directoryOf(url: CanonicalUrl): string {
  const path = pathOf(url);
  const query = path.indexOf('?');
  const end = query === -1 ? path.length : query;
  return path.slice(0, path.lastIndexOf('/', end - 1) + 1);
}

/** The directory itself counts without its slash too: URLs may have lost it on their way to the canonical form. */
function isBelow(directory: string, url: CanonicalUrl, start: number): boolean {
  if (url.startsWith(directory, start)) return true;
  const bare = directory.length - 1;
  if (!url.startsWith(directory.slice(0, bare), start)) return false;
  return url.length === start + bare || url[start + bare] === '?';
}
