import type { RobotsVerdict } from '../contracts/robots.ts';
import { normalizeRobotsPath, pathOfUrl } from './robots-path.ts';
import { compileRobotsPattern, matchesRobotsPattern, type RobotsPattern } from './robots-pattern.ts';

/** An Allow or Disallow line. */
export interface RobotsRule {
  readonly allow: boolean;
  readonly value: string;
  readonly line: number;
}

/** Whatever can say whether one agent may ask for a URL. */
export interface RobotsJudge {
  /** Seconds. */
  readonly crawlDelay: number | undefined;
  /** `url` may be a path alone. The caller sees to it that it belongs to the origin of the file. */
  judge(url: string): RobotsVerdict;
}

interface CompiledRule {
  readonly pattern: RobotsPattern;
  readonly allow: boolean;
  readonly verdict: RobotsVerdict;
}

/**
 * The rules that bind one agent, compiled once and asked for every URL.
 *
 * Invariant: the rules lie in the order in which they win (longest pattern, Allow before Disallow, earlier line),
 * so the first that matches decides.
 */
export class RobotsRules implements RobotsJudge {
  readonly crawlDelay: number | undefined;
  readonly #rules: readonly CompiledRule[];
  readonly #otherwise: RobotsVerdict;

  constructor(rules: readonly RobotsRule[], crawlDelay?: number) {
    this.crawlDelay = crawlDelay;
    this.#otherwise = Object.freeze(crawlDelay === undefined ? { allowed: true } : { allowed: true, crawlDelay });
    this.#rules = withoutRepeats(rules)
      .flatMap((rule) => compile(rule, this.#otherwise))
      .filter((rule) => rule.pattern.priority > 0)
      .sort((a, b) => b.pattern.priority - a.pattern.priority || Number(b.allow) - Number(a.allow));
  }

  judge(url: string): RobotsVerdict {
    const path = normalizeRobotsPath(pathOfUrl(url));
    if (path === '/robots.txt') return this.#otherwise;
    for (const rule of this.#rules) {
      if (matchesRobotsPattern(rule.pattern, path)) return rule.verdict;
    }
    return this.#otherwise;
  }
}

function compile(rule: RobotsRule, otherwise: RobotsVerdict): CompiledRule[] {
  const { allow, value, line } = rule;
  const verdict: RobotsVerdict = Object.freeze({
    ...otherwise,
    allowed: allow,
    rule: `${allow ? 'Allow' : 'Disallow'}: ${value}`,
    line,
  });
  const compiled = [{ pattern: compileRobotsPattern(value), allow, verdict }];
  // As on Google's side, who allows /a/index.html also allows /a/ itself.
  const slash = value.lastIndexOf('/');
  if (allow && slash >= 0 && value.startsWith('/index.htm', slash)) {
    compiled.push({ pattern: compileRobotsPattern(`${value.slice(0, slash + 1)}$`), allow, verdict });
  }
  return compiled;
}

function withoutRepeats(rules: readonly RobotsRule[]): RobotsRule[] {
  const first = new Map<string, RobotsRule>();
  for (const rule of rules) {
    const key = `${rule.allow ? '+' : '-'}${rule.value}`;
    if (!first.has(key)) first.set(key, rule);
  }
  return [...first.values()];
}
