import { hash32, unit } from './seeded-hash.ts';
import type { HostRobots, Located, Reply, RobotsGroup, RobotsRule } from './web-model.ts';
import type { WebSpec } from './web-spec.ts';

type RobotsKind = 'plain' | 'missing' | 'broken' | 'moved' | 'movedChain' | 'movedAway';

const PURPOSE = { kind: 40, crawlDelay: 41, slow: 42, named: 43, flavour: 44, away: 45 } as const;
const TEXT = ['Content-Type', 'text/plain; charset=utf-8'] as const;
const CHAIN_STOPS = 3;
const FINAL_STOP = '/policies/robots.txt';
const AWAY_PREFIX = '/policies/robots-of-';

const RULES: readonly RobotsRule[] = [
  { allow: false, pattern: '/private/' },
  { allow: true, pattern: '/private/open/' },
  { allow: false, pattern: '/*/draft-' },
  { allow: false, pattern: '/*.print$' },
  { allow: false, pattern: '/search' },
];
/** The named agent may see drafts and prints: whoever applies the general group to it misses pages. */
const NAMED_RULES: readonly RobotsRule[] = RULES.slice(0, 2);

/** Which host has which robots.txt, what it says, and where it is kept. The first host's is always plain. */
export class RobotsPlan {
  readonly #spec: WebSpec;

  constructor(spec: WebSpec) {
    this.#spec = spec;
  }

  robots(host: number): HostRobots {
    const kind = this.#kind(host);
    if (kind === 'missing') return { verdict: 'allow-all' };
    if (kind === 'broken') return { verdict: 'disallow-all' };
    return { verdict: 'rules', groups: this.#groups(host) };
  }

  /** The robots.txt, or the stop on the way to one, at this address. */
  locate(host: number, target: string): Extract<Located, { kind: 'robots' }> | undefined {
    const kind = this.#kind(host);
    if (target === '/robots.txt') return { kind: 'robots', of: host, last: !kind.startsWith('moved'), target };
    if (!target.startsWith('/policies/')) return undefined;
    if (target.startsWith(AWAY_PREFIX)) {
      const of = Number.parseInt(target.slice(AWAY_PREFIX.length), 10);
      const known = of >= 0 && of < this.#spec.hosts && target === `${AWAY_PREFIX}${of}.txt`;
      return known && this.#kind(of) === 'movedAway' && this.#awayHost(of) === host
        ? { kind: 'robots', of, last: true, target }
        : undefined;
    }
    if (kind === 'moved' || kind === 'movedChain') {
      if (target === FINAL_STOP) return { kind: 'robots', of: host, last: true, target };
      if (kind === 'movedChain' && this.#chainStop(target) > 0)
        return { kind: 'robots', of: host, last: false, target };
    }
    return undefined;
  }

  /** `authority` names other hosts in redirects. */
  reply(found: Extract<Located, { kind: 'robots' }>, authority: (host: number) => string): Reply {
    const host = found.of;
    const kind = this.#kind(host);
    if (!found.last) {
      const status = (hash32(this.#spec.seed, host, 0, PURPOSE.flavour) & 1) === 0 ? 301 : 302;
      return { status, headers: ['Location', this.#nextStop(host, kind, found.target, authority)], body: '' };
    }
    if (kind === 'missing') return { status: 404, headers: TEXT, body: 'no robots.txt here\n' };
    if (kind === 'broken') return { status: 500, headers: TEXT, body: 'User-agent: *\nAllow: /\n' };
    return { status: 200, headers: TEXT, body: this.#text(host) };
  }

  isSlow(host: number): boolean {
    return this.#has(host, PURPOSE.slow, this.#spec.robots.slow);
  }

  #kind(host: number): RobotsKind {
    if (host === 0) return 'plain';
    const draw = unit(hash32(this.#spec.seed, host, 0, PURPOSE.kind));
    let bound = 0;
    for (const kind of ['missing', 'broken', 'moved', 'movedChain', 'movedAway'] as const) {
      bound += this.#spec.robots[kind];
      if (draw < bound) return kind;
    }
    return 'plain';
  }

  #has(host: number, purpose: number, share: number): boolean {
    return unit(hash32(this.#spec.seed, host, 0, purpose)) < share;
  }

  /** A host with a plain robots.txt of its own; the first host is always one. */
  #awayHost(host: number): number {
    const { seed, hosts } = this.#spec;
    let at = hash32(seed, host, 0, PURPOSE.away) % hosts;
    while (at === host || this.#kind(at) !== 'plain') at = (at + 1) % hosts;
    return at;
  }

  #chainStop(target: string): number {
    for (let stop = 1; stop <= CHAIN_STOPS; stop++) if (target === `/policies/stop-${stop}`) return stop;
    return 0;
  }

  #nextStop(host: number, kind: RobotsKind, target: string, authority: (host: number) => string): string {
    if (kind === 'movedAway') return `http://${authority(this.#awayHost(host))}${AWAY_PREFIX}${host}.txt`;
    if (kind === 'moved') return FINAL_STOP;
    const stop = this.#chainStop(target);
    return stop === CHAIN_STOPS ? FINAL_STOP : `/policies/stop-${stop + 1}`;
  }

  #groups(host: number): RobotsGroup[] {
    const { robots, crawlDelaySeconds, namedAgent } = this.#spec;
    const delay = this.#has(host, PURPOSE.crawlDelay, robots.crawlDelay) ? { crawlDelaySeconds } : {};
    const groups: RobotsGroup[] = [
      { agents: ['examplebot', 'otherbot'], rules: [{ allow: false, pattern: '/' }] },
      // Two groups for everybody: they count as one.
      { agents: ['*'], rules: RULES.slice(0, 3), ...delay },
      { agents: ['*'], rules: RULES.slice(3) },
    ];
    if (this.#has(host, PURPOSE.named, robots.namedGroup)) {
      groups.push({ agents: [namedAgent.toLowerCase()], rules: NAMED_RULES, ...delay });
    }
    return groups;
  }

  #text(host: number): string {
    const flavour = hash32(this.#spec.seed, host, 1, PURPOSE.flavour);
    const line = (flavour & 1) === 0 ? '\n' : '\r\n';
    const field = (name: string): string => ((flavour & 6) === 0 ? name.toUpperCase() : name);
    const lines = [`# robots.txt of site ${host}`, ''];
    const groups = (flavour & 8) === 0 ? this.#groups(host) : this.#groups(host).reverse();
    for (const group of groups) {
      for (const agent of group.agents) lines.push(`${field('User-agent')}: ${agent}`);
      const rules = (flavour & 16) === 0 ? group.rules : [...group.rules].reverse();
      for (const rule of rules)
        lines.push(`${field(rule.allow ? 'Allow' : 'Disallow')}:${' '.repeat((flavour >>> 5) & 1)}${rule.pattern}`);
      if (group.crawlDelaySeconds !== undefined) lines.push(`Crawl-delay: ${group.crawlDelaySeconds} # seconds`);
      lines.push('');
    }
    const mark = (flavour & 64) === 0 ? '' : '\xef\xbb\xbf';
    return mark + lines.join(line);
  }
}
