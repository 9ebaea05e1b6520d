import type { Preference, UsageFacts } from '../../contracts/content/usage-facts.ts';
import { NOTHING_SAID, shown, type Use } from './usage-preferences.ts';

const SIGNALS: ReadonlyMap<string, Use> = new Map([
  ['search', 'search'],
  ['ai-input', 'aiInput'],
  ['ai-train', 'aiTrain'],
]);

/** Reads the signals of contentsignals.org: `search=yes, ai-train=no`. Of a signal that is given twice the stricter counts. */
export function readContentSignal(expression: string, source: string): UsageFacts {
  const found: Partial<Record<Use, Preference>> = {};
  for (const part of expression.slice(0, 2000).split(/[,;\s]+(?=[a-z-]+\s*=)/i)) {
    const [name, value = ''] = part.split('=');
    const use = SIGNALS.get(name.trim().toLowerCase());
    const answer = /^\s*"?(yes|no)\b/i.exec(value)?.[1].toLowerCase();
    if (use === undefined || answer === undefined) continue;
    if (found[use] !== 'disallowed') found[use] = answer === 'yes' ? 'allowed' : 'disallowed';
  }
  return Object.keys(found).length === 0 ? NOTHING_SAID : { ...found, said: [shown(source, expression)] };
}
