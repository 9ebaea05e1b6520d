import type { RobotsVerdict } from '../../contracts/content/robots.ts';
import { RobotsMatcher } from './robots-matcher.ts';
import { normalizeRobotsPath, pathOfUrl } from './robots-path.ts';
import { compileRobotsPattern, type RobotsPattern, type StepMeter } from './robots-pattern.ts';

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
  /** Estimated bytes of memory. */
  readonly bytes: number;
  /** `url` may be a path alone. The caller sees to it that it belongs to the origin of the file. */
  judge(url: string): RobotsVerdict;
}

interface CompiledRule {
  readonly pattern: RobotsPattern;
  readonly rule: RobotsRule;
}

/** What a rule takes beside its pattern. */
const RULE_BYTES = 150;

/**
 * The rules that bind one agent, compiled once and asked for every URL.
 *
 * Invariant: the rules lie in the order in which they win (longest pattern, Allow before Disallow, earlier line),
 * so the first that matches decides.
 */
export class RobotsRules implements RobotsJudge {
  readonly crawlDelay: number | undefined;
  readonly #rules: readonly RobotsRule[];
  readonly #matcher: RobotsMatcher;
  readonly #otherwise: RobotsVerdict;

  /** `group`: to whom they are said, where that is to be told. */
  constructor(rules: readonly RobotsRule[], crawlDelay?: number, group?: string) {
    this.crawlDelay = crawlDelay;
    this.#otherwise = Object.freeze({
      allowed: true,
      ...(crawlDelay === undefined ? {} : { crawlDelay }),
      ...(group === undefined ? {} : { group }),
    });
    const compiled = withoutRepeats(rules)
      .flatMap(compile)
      .filter(({ pattern }) => pattern.priority > 0)
      .sort((a, b) => b.pattern.priority - a.pattern.priority || Number(b.rule.allow) - Number(a.rule.allow));
    this.#rules = compiled.map(({ rule }) => rule);
    this.#matcher = new RobotsMatcher(compiled.map(({ pattern }) => pattern));
  }

  get bytes(): number {
    return this.#rules.length * RULE_BYTES + this.#matcher.bytes;
  }

  /** `meter` counts the steps, for proof that they are bounded. */
  judge(url: string, meter?: StepMeter): RobotsVerdict {
    const path = normalizeRobotsPath(pathOfUrl(url));
    const found = path === '/robots.txt' ? -1 : this.#matcher.firstMatch(path, meter);
    if (found < 0) return this.#otherwise;
    const { allow, value, line } = this.#rules[found];
    return { ...this.#otherwise, allowed: allow, rule: `${allow ? 'Allow' : 'Disallow'}: ${value}`, line };
  }
}

function compile(rule: RobotsRule): CompiledRule[] {
  const { allow, value } = rule;
  const compiled = [{ pattern: compileRobotsPattern(value), rule }];
  // As on Google's side, who allows /a/index.html also allows /a/ itself.
  const slash = value.lastIndexOf('/');
  if (allow && slash >= 0 && value.startsWith('/index.htm', slash)) {
    compiled.push({ pattern: compileRobotsPattern(`${value.slice(0, slash + 1)}$`), rule });
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
