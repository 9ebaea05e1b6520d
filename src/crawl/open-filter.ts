import type { Clock } from '../base/clock.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { CrawlTask } from '../contracts/crawl-task.ts';
import type { ForgottenEntry } from '../contracts/forgotten.ts';
import type { OwnedPartition } from '../contracts/state/owned-partition.ts';
import type { Plugins } from '../plugins/plugins.ts';
import { createFilterChain, type FilterChain } from '../scope/filter-chain.ts';
import type { HeldBack } from './learning/page-classifier.ts';
import { pluginRules } from './plugins/plugin-rules.ts';
import type { RunRecord } from './report/run-record.ts';

export interface FilterSources {
  readonly settings: Settings;
  readonly state: OwnedPartition;
  readonly clock: Clock;
  readonly plugins: Plugins;
}

/** The rules of a run. Seeds decide on the scope, and so does what they redirect to by now. */
export function openFilter(
  { settings, state, clock, plugins }: FilterSources,
  { seeds, seedScopes = {} }: Pick<RunRecord, 'seeds' | 'seedScopes'>,
  forgotten: readonly ForgottenEntry[],
): FilterChain {
  const { schemes } = plugins;
  const filter = createFilterChain(settings, seeds, clock, {
    ...{ forgotten, seedScopes, schemes, further: pluginRules(plugins) },
  });
  if (!filter.hasScope) return filter;
  // Grows while it is gone through: a redirect may lead to the next.
  for (const from of filter.beginnings) {
    const to = state.pages.redirectOf(from);
    if (to !== undefined) filter.seedLedTo(from, to);
  }
  return filter;
}

/** Why a URL that waits is not wanted any more: patterns may have changed since it came in. */
/**
 * Of a URL that waits: which rule keeps it from being asked for in this run. A run under a profile keeps to its own scope, though another
 * kind of crawler has found the URL; what it leaves is judged again by the next.
 */
export function heldByRules(
  filter: Pick<FilterChain, 'judgePatterns' | 'judgeScope'>,
  task: CrawlTask,
  { profile }: Pick<Settings, 'profile'>,
): HeldBack | undefined {
  const excluded = excludedBy(filter, task);
  if (excluded !== undefined || profile === '') return excluded;
  const verdict = filter.judgeScope(task);
  return verdict.admit ? undefined : { by: verdict.by, rule: verdict.rule };
}

function excludedBy(filter: Pick<FilterChain, 'judgePatterns'>, task: CrawlTask): HeldBack | undefined {
  const verdict = filter.judgePatterns(task);
  return verdict.admit ? undefined : { by: verdict.by, rule: verdict.rule };
}
