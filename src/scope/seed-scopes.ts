import type { Settings } from '../base/settings/schema.ts';
import type { SeedScope } from '../contracts/seed.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { ADMIT, refuse } from './rule.ts';
import { createScopeRule, type ScopeRule } from './scope-rule.ts';

/** What seeds say of their own scope, by canonical URL. */
export type SeedScopes = Readonly<Record<string, SeedScope>>;

/** What holds for seeds that say nothing. */
export type CommonScope = Pick<Settings, 'scope' | 'maxDepth'>;

interface SeedGroup {
  readonly scope: Settings['scope'];
  readonly depth: number;
  readonly seeds: CanonicalUrl[];
}

/** Seeds with the same scope and depth are judged by one rule, however many they are. */
function groupsOf({ scope, maxDepth }: CommonScope, seeds: Iterable<CanonicalUrl>, own: SeedScopes): SeedGroup[] {
  const groups = new Map<string, SeedGroup>();
  for (const url of seeds) {
    const said = own[url];
    const group = { scope: said?.scope ?? scope, depth: said?.depth ?? maxDepth, seeds: [url] };
    const key = `${group.scope} ${group.depth}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, group);
    else known.seeds.push(url);
  }
  return [...groups.values()];
}

/** Scope and depth per seed: a URL belongs if any seed's rule admits it. Depth is that of the way it was found on. */
export function createSeedScopesRule(common: CommonScope, seeds: readonly CanonicalUrl[], own: SeedScopes): ScopeRule {
  const groups = groupsOf(common, seeds, own).map((group) => ({
    ...group,
    rule: createScopeRule(group.scope, group.seeds),
  }));
  const groupOf = new Map(groups.flatMap((group) => group.seeds.map((seed) => [seed, group])));
  return {
    name: 'scope of the seeds',
    judge(task) {
      const reasons: string[] = [];
      let tooDeep = false;
      for (const { rule, depth } of groups) {
        const verdict = rule.judge(task);
        if (!verdict.admit) reasons.push(verdict.rule);
        else if (task.depth <= depth) return ADMIT;
        else {
          tooDeep = true;
          reasons.push(`depth ${depth}: the link is at depth ${task.depth}`);
        }
      }
      return refuse(tooDeep ? 'depth' : 'scope', `no seed admits it: ${reasons.join('; ')}`);
    },
    widen(to, from) {
      const group = from === undefined ? undefined : groupOf.get(from);
      if (group === undefined) return false;
      groupOf.set(to, group);
      return group.rule.widen(to);
    },
  };
}

/** A seed whose scope a URL is in. */
export interface AdmittingSeed {
  readonly seed: CanonicalUrl;
  readonly scope: Settings['scope'];
  readonly depth: number;
}

/** The seeds that admit a URL; `depth` where it is known. */
export function admittingSeeds(
  url: { readonly url: CanonicalUrl; readonly host: string; readonly depth?: number },
  common: CommonScope,
  seeds: Iterable<CanonicalUrl>,
  own: SeedScopes,
): AdmittingSeed[] {
  const task = { ...url, depth: 0, redirects: 0, lane: 0, discovery: { how: 'link' }, purpose: 'page' } as never;
  return groupsOf(common, seeds, own)
    .filter(({ depth }) => (url.depth ?? 0) <= depth)
    .flatMap(({ scope, depth, seeds: ofGroup }) =>
      ofGroup
        .filter((seed) => createScopeRule(scope, [seed]).judge(task).admit)
        .map((seed) => ({ seed, scope, depth })),
    );
}
