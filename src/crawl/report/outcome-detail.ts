import type { Outcome } from '../../contracts/outcome.ts';

/** What an outcome is about: the other URL, the rule, the code. */
export function outcomeDetail(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case 'duplicate':
      return outcome.of;
    case 'redirected':
      return outcome.to;
    case 'refused':
      return `${outcome.by}: ${outcome.rule}`;
    case 'failed':
      return outcome.code;
    case 'gone':
      return outcome.soft;
    default:
      return undefined;
  }
}
