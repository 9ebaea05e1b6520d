import { type Clock, systemClock } from '../base/clock.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { CrawlTask } from '../contracts/crawl-task.ts';
import type { Link } from '../contracts/page.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { FilterVerdict, UrlFilter } from '../contracts/url-filter.ts';
import { createExtensionRule } from './extension-rule.ts';
import { createLinkKindRule, createNofollowRule } from './link-kind-rule.ts';
import { createExcludeRule, createIncludeRule } from './pattern-rules.ts';
import { ADMIT, type Rule, refuse } from './rule.ts';
import { createScopeRule } from './scope-rule.ts';
import { createTrapRules, type TrapRuleSettings } from './traps/trap-rules.ts';
import { createDepthRule, createSchemeRule, createUrlLengthRule } from './url-form-rules.ts';

export type FilterSettings = Pick<
  Settings,
  'scope' | 'include' | 'exclude' | 'excludeExtensions' | 'resources' | 'maxUrlLength' | 'maxDepth' | 'followNofollow'
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
): FilterChain {
  const { scope, include, exclude, excludeExtensions } = settings;
  return new FilterChain([
    createSchemeRule(),
    createUrlLengthRule(settings.maxUrlLength),
    createLinkKindRule(settings.resources),
    ...(settings.followNofollow ? [] : [createNofollowRule()]),
    createDepthRule(settings.maxDepth),
    ...(scope === 'any' ? [] : [createScopeRule(scope, seeds)]),
    ...(excludeExtensions.length > 0 ? [createExtensionRule(excludeExtensions)] : []),
    ...(exclude.length > 0 ? [createExcludeRule(exclude)] : []),
    ...(include.length > 0 ? [createIncludeRule(include)] : []),
    ...createTrapRules(settings, clock),
  ]);
}

/** Asks rule after rule. Fails closed: a rule that throws has refused. */
export class FilterChain implements UrlFilter {
  readonly rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.rules = rules;
  }

  judge(task: CrawlTask, link?: Link): FilterVerdict {
    // Not a page but the answer to "may I": a site may keep its robots.txt wherever it likes.
    if (task.purpose === 'robots') return ADMIT;
    let asked = 0;
    try {
      for (; asked < this.rules.length; asked++) {
        const verdict = this.rules[asked].judge(task, link);
        if (!verdict.admit) return verdict;
      }
      return ADMIT;
    } catch (cause) {
      return refuse(
        'scope',
        `${this.rules[asked].name} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
  }
}
