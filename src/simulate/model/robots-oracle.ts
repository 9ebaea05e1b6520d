import type { HostRobots, RobotsGroup } from './web-model.ts';

/**
 * Judges by the rules a simulated host was made with, never by the text it sends. Written apart from the crawler's own
 * robots code on purpose: an oracle that shares code with what it judges shares its mistakes.
 */
export function robotsAllow(robots: HostRobots, agent: string, target: string): boolean {
  if (robots.verdict !== 'rules') return robots.verdict === 'allow-all';
  let longest = -1;
  let allowed = true;
  for (const group of groupsFor(robots.groups, agent)) {
    for (const rule of group.rules) {
      const length = rule.pattern.length;
      if (length < longest || (length === longest && !rule.allow)) continue;
      if (!matches(rule.pattern, target)) continue;
      longest = length;
      allowed = rule.allow;
    }
  }
  return allowed;
}

/** The Crawl-delay that a host asks of an agent, in ms; 0 where it asks none. */
export function crawlDelayMs(robots: HostRobots, agent: string): number {
  if (robots.verdict !== 'rules') return 0;
  const delays = groupsFor(robots.groups, agent).map((group) => group.crawlDelaySeconds ?? 0);
  return Math.max(0, ...delays) * 1000;
}

/** All groups that name the agent; where none does, all groups for everybody. */
function groupsFor(groups: readonly RobotsGroup[], agent: string): readonly RobotsGroup[] {
  const name = agent.toLowerCase();
  const named = groups.filter((group) => group.agents.includes(name));
  return named.length > 0 ? named : groups.filter((group) => group.agents.includes('*'));
}

/** `*` stands for any run of characters, a final `$` for the end; otherwise the pattern is a prefix. */
function matches(pattern: string, target: string): boolean {
  if (pattern === '') return false;
  const anchored = pattern.endsWith('$');
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!target.startsWith(parts[0])) return false;
  let at = parts[0].length;
  for (let i = 1; i < parts.length - 1; i++) {
    const found = target.indexOf(parts[i], at);
    if (found < 0) return false;
    at = found + parts[i].length;
  }
  if (parts.length === 1) return !anchored || at === target.length;
  const last = parts[parts.length - 1];
  return anchored ? target.length - last.length >= at && target.endsWith(last) : target.indexOf(last, at) >= 0;
}
