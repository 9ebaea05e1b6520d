import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { ADMIT, type Rule } from '../rule.ts';
import { createCalendarRule } from './calendar-rule.ts';
import { createHostLabelRule } from './host-label-rule.ts';
import { createPathDepthRule, createRepeatsRule } from './path-rules.ts';
import { createParametersRule, createSessionIdRule } from './query-rules.ts';

export type TrapRuleSettings = Pick<
  Settings,
  | 'trapPathDepth'
  | 'trapRepeats'
  | 'trapHostLabels'
  | 'trapYearsAhead'
  | 'trapYearsBack'
  | 'trapParameters'
  | 'trapSessionIds'
>;

/** The signs of a trap that a URL bears in itself; a rule whose setting is unlimited or off is not there. */
export function createTrapRules(settings: TrapRuleSettings, clock: Clock): readonly Rule[] {
  const { trapPathDepth, trapRepeats, trapHostLabels, trapYearsAhead, trapYearsBack, trapParameters } = settings;
  const dated = Number.isFinite(trapYearsAhead) || Number.isFinite(trapYearsBack);
  return [
    ...(Number.isFinite(trapPathDepth) ? [createPathDepthRule(trapPathDepth)] : []),
    ...(Number.isFinite(trapRepeats) ? [createRepeatsRule(trapRepeats)] : []),
    ...(Number.isFinite(trapHostLabels) ? [createHostLabelRule(trapHostLabels)] : []),
    ...(dated ? [createCalendarRule({ yearsAhead: trapYearsAhead, yearsBack: trapYearsBack }, clock)] : []),
    ...(Number.isFinite(trapParameters) ? [createParametersRule(trapParameters)] : []),
    ...(settings.trapSessionIds ? [createSessionIdRule()] : []),
  ].map(exceptSeeds);
}

/** What people name themselves is what they want. */
function exceptSeeds(rule: Rule): Rule {
  return {
    name: rule.name,
    judge(task, link) {
      const { how } = task.discovery;
      return how === 'seed' || how === 'push' || how === 'form' ? ADMIT : rule.judge(task, link);
    },
  };
}
