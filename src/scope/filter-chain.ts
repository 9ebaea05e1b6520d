import { type Clock, systemClock } from '../base/clock.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { Link } from '../contracts/content/page.ts';
import type { CrawlTask } from '../contracts/crawl-task.ts';
import type { ForgottenEntry } from '../contracts/forgotten.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { FilterVerdict, UrlFilter } from '../contracts/url-filter.ts';
import { isFileUrl } from '../url/file-url.ts';
import { hostKeyOf } from '../url/host-key.ts';
import { createExtensionRule } from './extension-rule.ts';
import { createFileRule } from './file-rule.ts';
import { createForgottenRule } from './forget-target.ts';
import { createLinkKindRule, createNofollowRule } from './link-kind-rule.ts';
import { createExcludeRule, createIncludeRule } from './pattern-rules.ts';
import { ADMIT, type Rule, refuse } from './rule.ts';
import { createScopeRule, type ScopeRule } from './scope-rule.ts';
import { createSeedScopesRule, type SeedScopes } from './seed-scopes.ts';
import { createTrapRules, type TrapRuleSettings } from './traps/trap-rules.ts';
import { createDepthRule, createSchemeRule, createUrlLengthRule } from './url-form-rules.ts';

export type FilterSettings = Pick<
  Settings,
  | 'scope'
  | 'include'
  | 'exclude'
  | 'excludeExtensions'
  | 'resources'
  | 'images'
  | 'maxUrlLength'
  | 'maxDepth'
  | 'followNofollow'
> &
  TrapRuleSettings;

/**
 * The rules of a crawl, in the order in which they are asked; the first that refuses is the one that is recorded. Cheap
 * rules stand before dear ones. Seeds define the scope, so give them with their trailing slashes, or `directory` cannot
 * tell a folder from a file.
 */
export function createFilterChain(
  settings: FilterSettings,
  seeds: readonly CanonicalUrl[],
  clock: Clock = systemClock,
  { forgotten = [], seedScopes = {}, schemes = [], further = [] }: FolderRules = {},
): FilterChain {
  const { include, exclude, excludeExtensions } = settings;
  const scope = scopeRuleOf(settings, seeds, seedScopes);
  const hasOwnScopes = Object.keys(seedScopes).length > 0;
  const first = [
    createFileRule(),
    createSchemeRule(schemes),
    ...(forgotten.length > 0 ? [createForgottenRule(forgotten)] : []),
    createUrlLengthRule(settings.maxUrlLength),
    createLinkKindRule(settings),
    ...(settings.followNofollow ? [] : [createNofollowRule()]),
    ...(hasOwnScopes ? [] : [createDepthRule(settings.maxDepth)]),
    ...(scope === undefined ? [] : [scope]),
    ...(excludeExtensions.length > 0 ? [createExtensionRule(excludeExtensions)] : []),
  ];
  const last = [...createTrapRules(settings, clock), ...further];
  const patterns = patternRules({ include, exclude });
  return new FilterChain([...first, ...patterns, ...last], {
    seeds,
    ...(scope === undefined ? {} : { scope }),
    patterns: { at: first.length, count: patterns.length },
  });
}

export type UrlPatterns = Pick<FilterSettings, 'include' | 'exclude'>;

function patternRules({ include, exclude }: UrlPatterns): Rule[] {
  return [
    ...(exclude.length > 0 ? [createExcludeRule(exclude)] : []),
    ...(include.length > 0 ? [createIncludeRule(include)] : []),
  ];
}

/** What counts beside the settings. */
export interface FolderRules {
  readonly forgotten?: readonly ForgottenEntry[];
  readonly seedScopes?: SeedScopes;
  /** Of plug-ins: schemes that they fetch, and rules that are asked last. */
  readonly schemes?: readonly string[];
  readonly further?: readonly Rule[];
}

function scopeRuleOf(
  settings: FilterSettings,
  seeds: readonly CanonicalUrl[],
  seedScopes: SeedScopes,
): ScopeRule | undefined {
  if (Object.keys(seedScopes).length > 0) return createSeedScopesRule(settings, seeds, seedScopes);
  return settings.scope === 'any' ? undefined : createScopeRule(settings.scope, seeds);
}

/** Where a crawl begins, and what that decides. */
export interface Beginnings {
  readonly seeds: readonly CanonicalUrl[];
  readonly scope?: ScopeRule;
  /** Which of the rules are those of patterns; none where absent. */
  readonly patterns?: { readonly at: number; readonly count: number };
}

/** Asks rule after rule. Fails closed: a rule that throws has refused. */
export class FilterChain implements UrlFilter {
  #rules: readonly Rule[];
  #patterns: { readonly at: number; readonly count: number };
  readonly #beginnings: Set<CanonicalUrl>;
  readonly #refusedBeginnings = new Map<CanonicalUrl, FilterVerdict>();
  readonly #scope: ScopeRule | undefined;

  constructor(rules: readonly Rule[], { seeds, scope, patterns }: Beginnings = { seeds: [] }) {
    this.#rules = rules;
    this.#patterns = patterns ?? { at: rules.length, count: 0 };
    this.#beginnings = new Set(seeds);
    this.#scope = scope;
  }

  get rules(): readonly Rule[] {
    return this.#rules;
  }

  /** Other patterns count from now on. */
  setPatterns(patterns: UrlPatterns): void {
    const { at, count } = this.#patterns;
    const rules = patternRules(patterns);
    this.#rules = this.#rules.toSpliced(at, count, ...rules);
    this.#patterns = { at, count: rules.length };
  }

  /** What the patterns alone say: of a URL that came in before they did. Where a crawl begins they do not count. */
  judgePatterns(task: CrawlTask): FilterVerdict {
    if (task.purpose !== 'page' || task.discovery.how === 'seed' || this.#beginnings.has(task.url)) return ADMIT;
    const { at, count } = this.#patterns;
    for (let place = at; place < at + count; place++) {
      const verdict = this.#rules[place].judge(task);
      if (!verdict.admit) return verdict;
    }
    return ADMIT;
  }

  /** What the scope alone says: of a URL that came in by another. */
  judgeScope(task: CrawlTask): FilterVerdict {
    const isFree = task.purpose !== 'page' || task.discovery.how === 'seed' || this.#beginnings.has(task.url);
    return isFree ? ADMIT : (this.#scope?.judge(task) ?? ADMIT);
  }

  /** Whether the seeds decide how far the crawl goes. */
  get hasScope(): boolean {
    return this.#scope !== undefined;
  }

  /** The seeds, and what they redirect to. */
  get beginnings(): ReadonlySet<CanonicalUrl> {
    return this.#beginnings;
  }

  /** A seed, or what it led to, redirects: the target counts as a seed, unless refused. Undefined where nothing is new. */
  seedLedTo(from: CanonicalUrl, to: CanonicalUrl): { readonly widened: boolean } | undefined {
    if (!this.#beginnings.has(from) || this.#beginnings.has(to)) return undefined;
    // Scope is what it would decide on itself; but a page that nobody wants is no reason to crawl the site around it.
    const verdict = this.#judge(seedAt(to), undefined, this.#scope);
    if (!verdict.admit) {
      this.#refusedBeginnings.set(to, verdict);
      return undefined;
    }
    this.#beginnings.add(to);
    return { widened: this.#scope?.widen(to, from) ?? false };
  }

  judge(asked: CrawlTask, link?: Link): FilterVerdict {
    // Not a page but the answer to "may I": a site may keep its robots.txt wherever it likes.
    if (asked.purpose === 'robots') return ADMIT;
    if (asked.discovery.how !== 'redirect') return this.#judge(asked, link);
    if (this.#beginnings.has(asked.url)) return this.#judge({ ...asked, discovery: { how: 'seed' } }, link);
    // Not that its host is out of scope, which follows from this.
    return this.#refusedBeginnings.get(asked.url) ?? this.#judge(asked, link);
  }

  #judge(task: CrawlTask, link?: Link, except?: Rule): FilterVerdict {
    let asked = 0;
    const isFile = isFileUrl(task.url);
    try {
      for (; asked < this.#rules.length; asked++) {
        if (this.#rules[asked] === except || (isFile && this.#rules[asked].forFiles !== true)) continue;
        const verdict = this.#rules[asked].judge(task, link);
        if (!verdict.admit) return verdict;
      }
      return ADMIT;
    } catch (cause) {
      return refuse(
        'scope',
        `${this.#rules[asked].name} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
  }
}

function seedAt(url: CanonicalUrl): CrawlTask {
  const discovery = { how: 'seed' as const };
  return { url, host: hostKeyOf(url), depth: 0, redirects: 0, lane: 0, discovery, purpose: 'page' };
}
