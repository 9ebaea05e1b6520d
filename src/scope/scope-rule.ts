import type { Settings } from '../base/settings/schema.ts';
import type { CanonicalUrl, HostKey } from '../contracts/url.ts';
import type { FilterVerdict } from '../contracts/url-filter.ts';
import { hostKeyOf, hostnameOf, pathOf } from '../url/host-key.ts';
import { registrableDomain, topLevelDomain } from '../url/public-suffix.ts';
import { ADMIT, type Rule, refuse } from './rule.ts';

/** How far from the seeds. Names without a domain of their own (addresses, localhost) stand for themselves. */
export function createScopeRule(scope: Settings['scope'], seeds: readonly CanonicalUrl[]): Rule {
  switch (scope) {
    case 'any':
      return { name: 'scope any', judge: () => ADMIT };
    case 'host':
      return hostRule(seeds);
    case 'domain':
      return groupRule('domain', 'a seed domain', (name) => registrableDomain(name) ?? name, seeds);
    case 'tld':
      return groupRule('tld', 'a seed top-level domain', (name) => topLevelDomain(name) ?? name, seeds);
    case 'directory':
      return directoryRule(seeds);
  }
}

function hostRule(seeds: readonly CanonicalUrl[]): Rule {
  const hosts = new Set(seeds.map(hostKeyOf));
  return {
    name: 'scope host',
    judge: (task) => (hosts.has(task.host) ? ADMIT : refuse('scope', `scope host: ${task.host} is not a seed host`)),
  };
}

/** Verdicts are kept per host: finding the domain of a name costs more than all other rules together. */
const MAX_KEPT_VERDICTS = 10_000;

function groupRule(
  scope: 'domain' | 'tld',
  what: string,
  groupOf: (hostname: string) => string,
  seeds: readonly CanonicalUrl[],
): Rule {
  const groups = new Set(seeds.map((seed) => groupOf(hostnameOf(seed))));
  const verdicts = new Map<HostKey, FilterVerdict>();
  return {
    name: `scope ${scope}`,
    judge(task) {
      let verdict = verdicts.get(task.host);
      if (verdict === undefined) {
        const group = groupOf(hostnameOf(task.url));
        verdict = groups.has(group) ? ADMIT : refuse('scope', `scope ${scope}: ${group} is not ${what}`);
        if (verdicts.size >= MAX_KEPT_VERDICTS) verdicts.clear();
        verdicts.set(task.host, verdict);
      }
      return verdict;
    },
  };
}

function directoryRule(seeds: readonly CanonicalUrl[]): Rule {
  const directories = new Map<HostKey, string[]>();
  for (const seed of seeds) {
    const host = hostKeyOf(seed);
    directories.set(host, [...(directories.get(host) ?? []), directoryOf(seed)]);
  }
  return {
    name: 'scope directory',
    judge(task) {
      const allowed = directories.get(task.host);
      if (allowed === undefined) return refuse('scope', `scope directory: ${task.host} is not a seed host`);
      const start = task.url.length - pathOf(task.url).length;
      for (const directory of allowed) if (isBelow(directory, task.url, start)) return ADMIT;
      return refuse('scope', `scope directory: not below ${allowed.join(' or ')}`);
    },
  };
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
