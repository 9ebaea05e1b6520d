import type { Preference, UsageFacts } from '../../contracts/content/usage-facts.ts';
import { dictionaryTokens } from './structured-dictionary.ts';
import { NOTHING_SAID, shown, type Use } from './usage-preferences.ts';

/**
 * Labels of the AIPREF vocabulary, those of earlier drafts too. The first use is what a label is about; the others are parts of it,
 * which it forbids with it (but does not allow) unless they are named themselves.
 */
const LABELS: readonly (readonly [label: string, uses: readonly Use[]])[] = [
  ['search', ['search']],
  ['train-ai', ['aiTrain']],
  ['ai-use', ['aiInput']],
  ['train-genai', ['aiTrain']],
  ['genai', ['aiTrain']],
  ['ai', ['aiTrain', 'aiInput']],
  ['tdm', ['tdm', 'aiTrain', 'aiInput', 'search']],
  ['bots', ['tdm', 'aiTrain', 'aiInput', 'search']],
  ['all', ['tdm', 'aiTrain', 'aiInput', 'search']],
];

/** Reads an expression of usage preferences: `train-ai=n, search=y`. What is not understood says nothing. */
export function readContentUsage(expression: string, source: string): UsageFacts {
  const tokens = dictionaryTokens(expression.trim());
  if (tokens === undefined) return NOTHING_SAID;
  const found: Partial<Record<Use, Preference>> = {};
  for (const [label, uses] of LABELS) {
    const token = tokens.get(label);
    if (token === 'n') for (const use of uses) found[use] ??= 'disallowed';
    else if (token === 'y') found[uses[0]] ??= 'allowed';
  }
  return Object.keys(found).length === 0 ? NOTHING_SAID : { ...found, said: [shown(source, expression)] };
}
