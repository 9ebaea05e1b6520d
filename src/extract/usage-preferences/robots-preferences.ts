import { robotsNames } from '../../base/robots-names.ts';
import type { UsageFacts } from '../../contracts/content/usage-facts.ts';
import { readContentSignal } from './content-signal.ts';
import { readContentUsage } from './content-usage.ts';
import { type PathPattern, pathOf, pathPattern } from './path-pattern.ts';
import { combinePreferences, NOTHING_SAID } from './usage-preferences.ts';

/** As much of the file as counts for its rules. */
const MAX_LENGTH = 500 * 1024;
const MAX_RULES = 2000;

interface Rule {
  readonly kind: 'signal' | 'usage';
  readonly pattern: PathPattern;
  readonly says: UsageFacts;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  /** The next User-agent line begins a new group. */
  closed: boolean;
}

/** What a robots.txt says of the use of pages. To be kept by whoever asks for many. */
export interface RobotsPreferences {
  /** For one page of the file's origin. */
  of(url: string): UsageFacts;
}

/**
 * Reads the lines `Content-Signal` and `Content-Usage`, for our agent: those of the groups that name it, else those of the `*`
 * groups, as with Allow and Disallow (RFC 9309); lines before any User-agent line are said to everybody. A path may stand
 * before the preferences; of each kind of line the longest path that matches counts, several with it together. Never throws.
 */
export function readRobotsPreferences(text: string, agent: string): RobotsPreferences {
  const everybody: Group = { agents: [], rules: [], closed: true };
  const groups: Group[] = [];
  let budget = MAX_RULES;
  for (const [index, raw] of text
    .slice(0, MAX_LENGTH)
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = /^[\s\ufeff]*([^:#]*?)\s*:\s*([^#]*)/.exec(raw);
    if (line === null) continue;
    const [, key, value] = line;
    const name = key.toLowerCase();
    let group = groups.at(-1);
    if (/^user[- ]?agent/.test(name)) {
      if (group === undefined || group.closed) {
        group = { agents: [], rules: [], closed: false };
        groups.push(group);
      }
      group.agents.push(value.trim());
    } else if (name === 'content-signal' || name === 'content-usage') {
      const rule = budget-- > 0 ? readRule(name, value.trim(), index + 1) : undefined;
      if (rule !== undefined) (group ?? everybody).rules.push(rule);
      if (group !== undefined) group.closed = true;
    } else if (/^(?:allow|disall?ow|dissall?ow|crawl-delay)/.test(name) && group !== undefined) {
      group.closed = true;
    }
  }
  const namedBy = (name: string): Group[] => groups.filter(({ agents }) => agents.some((line) => means(line, name)));
  const named = robotsNames(agent)
    .map(namedBy)
    .find((found) => found.length > 0);
  const bound =
    named !== undefined ? named : groups.filter(({ agents }) => agents.some((line) => /^\*(?:\s|$)/.test(line)));
  const rules = [everybody, ...bound].flatMap((group) => group.rules);
  return { of: (url) => (rules.length === 0 ? NOTHING_SAID : judge(rules, pathOf(url))) };
}

function readRule(name: string, value: string, line: number): Rule | undefined {
  const match = /^([/*]\S*)\s+(.*)$/s.exec(value);
  const [path, expression] = match === null ? ['/', value] : [match[1], match[2]];
  const signal = name === 'content-signal';
  const source = `robots.txt line ${line}, ${signal ? 'Content-Signal' : 'Content-Usage'}${match === null ? '' : ` ${path}`}`;
  const says = signal ? readContentSignal(expression, source) : readContentUsage(expression, source);
  return says.said.length === 0 ? undefined : { kind: signal ? 'signal' : 'usage', pattern: pathPattern(path), says };
}

function judge(rules: readonly Rule[], path: string): UsageFacts {
  const heard: UsageFacts[] = [];
  for (const kind of ['signal', 'usage'] as const) {
    const matching = rules.filter((rule) => rule.kind === kind && rule.pattern.matches(path));
    const longest = Math.max(...matching.map(({ pattern }) => pattern.length));
    heard.push(...matching.filter(({ pattern }) => pattern.length === longest).map(({ says }) => says));
  }
  return combinePreferences(heard);
}

/** Whether a User-agent line means us: by product token, and where both names go on past it they agree there too. */
function means(line: string, agent: string): boolean {
  const theirs = nameOf(line);
  const ours = nameOf(agent);
  if (ours.token === '' || theirs.token !== ours.token) return false;
  return theirs.name === ours.name || theirs.name === theirs.token || ours.name === ours.token;
}

function nameOf(agent: string): { readonly token: string; readonly name: string } {
  const name = agent.split(/[\s/,;(<]/, 1)[0].toLowerCase();
  return { name, token: /^[a-z_-]*/.exec(name)?.[0] ?? '' };
}
