import { ADMIT, type Rule, refuse } from './rule.ts';
import { compilePattern } from './url-pattern.ts';

export function createExcludeRule(texts: readonly string[]): Rule {
  const patterns = texts.map((text) => ({
    pattern: compilePattern(text),
    verdict: refuse('scope', `exclude pattern '${text}'`),
  }));
  return {
    name: 'exclude',
    forFiles: true,
    judge({ url }) {
      for (const { pattern, verdict } of patterns) if (pattern.matches(url)) return verdict;
      return ADMIT;
    },
  };
}

/** Depth 0 is exempt: seeds and what they redirect to are where the way to the wanted pages begins. */
export function createIncludeRule(texts: readonly string[]): Rule {
  const patterns = texts.map(compilePattern);
  const verdict = refuse(
    'scope',
    patterns.length === 1 ? `include pattern '${texts[0]}' does not match` : 'no include pattern matches',
  );
  return {
    name: 'include',
    forFiles: true,
    judge({ url, depth }) {
      if (depth === 0) return ADMIT;
      for (const pattern of patterns) if (pattern.matches(url)) return ADMIT;
      return verdict;
    },
  };
}
