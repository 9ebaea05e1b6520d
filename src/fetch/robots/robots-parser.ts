import { robotsNames } from '../../base/robots-names.ts';
import type { RobotsVerdict } from '../../contracts/content/robots.ts';
import { type AgentName, addressedName, answersTo, ownName } from './robots-agent.ts';
import { type RobotsLine, robotsLines } from './robots-lines.ts';
import { type RobotsRule, RobotsRules } from './robots-rules.ts';
import { robotsText } from './robots-text.ts';

/** A directive that is neither of RFC 9309 nor a sitemap, e.g. Content-Signal, with the group in which it stands. */
export interface RobotsExtension {
  readonly line: number;
  readonly key: string;
  readonly value: string;
  /** Lower-case names and `*`; none before the first User-agent line. */
  readonly agents: readonly string[];
}

export interface RobotsProblem {
  readonly line: number;
  readonly problem: string;
}

export interface RobotsFile {
  /** Every line as it was understood. */
  readonly lines: readonly RobotsLine[];
  /** What its author should mend. */
  readonly problems: readonly RobotsProblem[];
  /** As written, without repeats; relative ones are resolved by whoever knows the file's URL. */
  readonly sitemaps: readonly string[];
  readonly extensions: readonly RobotsExtension[];
  /** The rules of an agent: the groups that name it, merged, or else the `*` groups. To be kept by the caller. */
  rulesFor(agent: string | readonly string[]): RobotsRules;
  /** For a single question; who has many keeps `rulesFor(agent)`. */
  judge(agent: string | readonly string[], url: string): RobotsVerdict;
}

interface Group<T> {
  readonly agents: AgentName[];
  /** Their names again, shared by all that stands in the group. */
  readonly names: string[];
  readonly says: T[];
  /** The next User-agent line begins a new group. */
  closed: boolean;
}

/** Reads a robots.txt as RFC 9309 has it and with the leniency of Google's parser. Never throws. */
export function parseRobots(body: string | Uint8Array): RobotsFile {
  const lines = robotsLines(robotsText(body));
  const problems: RobotsProblem[] = [];
  const sitemaps = new Set<string>();
  const extensions: RobotsExtension[] = [];
  const ruleGroups: Group<RobotsRule>[] = [];
  // Crawl-delay must not change which agents share rules (RFC 9309, 2.2.4), yet holds only for the agents right
  // above it: "User-agent: a / Crawl-delay: 1 / User-agent: b / Disallow: /x" delays a alone and forbids both.
  const delayGroups: Group<number>[] = [];
  let ownerlessDelay: number | undefined;

  for (const { line, kind, key, value, tooLong } of lines) {
    if (tooLong) problems.push({ line, problem: 'line too long; only its beginning counts' });
    switch (kind) {
      case 'user-agent': {
        const agent = addressedName(value);
        if (agent.token === '') problems.push({ line, problem: 'no product token' });
        join(ruleGroups, agent);
        join(delayGroups, addressedName(withoutMarkup(value)));
        break;
      }
      case 'allow':
      case 'disallow': {
        const rules = ruleGroups.at(-1);
        if (rules === undefined) {
          problems.push({ line, problem: 'rule before the first User-agent line: ignored' });
          break;
        }
        if (value !== '' && value[0] !== '/' && value[0] !== '*') {
          problems.push({ line, problem: 'path starts with neither / nor *: matches nothing' });
        }
        rules.says.push({ allow: kind === 'allow', value, line });
        rules.closed = true;
        (delayGroups.at(-1) as Group<number>).closed = true;
        break;
      }
      case 'crawl-delay': {
        const seconds = secondsOf(value);
        if (seconds === undefined) problems.push({ line, problem: 'no number of seconds: ignored' });
        const delays = delayGroups.at(-1);
        if (delays !== undefined) delays.closed = true;
        if (seconds === undefined) break;
        if (delays === undefined) ownerlessDelay = Math.max(seconds, ownerlessDelay ?? 0);
        else delays.says.push(seconds);
        break;
      }
      case 'sitemap':
        if (value !== '') sitemaps.add(value);
        break;
      case 'unused':
      case 'unknown':
        if (isBareSitemap(key, value)) sitemaps.add(`${key}:${value}`);
        else extensions.push({ line, key, value, agents: ruleGroups.at(-1)?.names ?? [] });
        break;
      case 'text':
        problems.push({ line, problem: 'no directive' });
        break;
    }
  }

  function rulesFor(agent: string | readonly string[]): RobotsRules {
    // Of names in an order the first that is addressed counts; several that are given apart count together.
    const ways = typeof agent === 'string' ? robotsNames(agent).map((name) => [name]) : [agent];
    const isNamed = (names: readonly string[]): boolean =>
      ruleGroups.some((group) => addresses(group, names.map(ownName)));
    const named = ways.find(isNamed);
    const bound = named?.map(ownName) ?? [addressedName('*')];
    // Who has one name knows whom the rules are said to.
    const group = ways.length === 1 ? undefined : (named?.join() ?? '*');
    const delays = saidTo(bound, delayGroups);
    if (ruleGroups.length === 0 && ownerlessDelay !== undefined) delays.push(ownerlessDelay);
    const delay = delays.reduce<number | undefined>((most, next) => Math.max(next, most ?? 0), undefined);
    return new RobotsRules(saidTo(bound, ruleGroups), delay, group);
  }

  return {
    lines,
    problems,
    sitemaps: [...sitemaps],
    extensions,
    rulesFor,
    judge: (agent, url) => rulesFor(agent).judge(url),
  };
}

function join<T>(groups: Group<T>[], agent: AgentName): void {
  let group = groups.at(-1);
  if (group === undefined || group.closed) {
    group = { agents: [], names: [], says: [], closed: false };
    groups.push(group);
  }
  group.agents.push(agent);
  group.names.push(agent.name);
}

function saidTo<T>(agents: readonly AgentName[], groups: readonly Group<T>[]): T[] {
  return groups.flatMap((group) => (addresses(group, agents) ? group.says : []));
}

function addresses<T>(group: Group<T>, agents: readonly AgentName[]): boolean {
  return group.agents.some((line) => agents.some((ours) => answersTo(ours, line)));
}

/** Some files are HTML with a rule per line. Read so for delays alone, where the error can only make us slower. */
function withoutMarkup(value: string): string {
  const tag = value.indexOf('<');
  return tag < 0 ? value : value.slice(0, tag).trimEnd();
}

function secondsOf(value: string): number | undefined {
  const number = withoutMarkup(value);
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(number)) return undefined;
  const seconds = Number(number);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** A sitemap's URL alone on its line, the name forgotten. */
function isBareSitemap(key: string, value: string): boolean {
  return /^https?$/i.test(key) && value.startsWith('//') && /sitemap/i.test(value);
}
