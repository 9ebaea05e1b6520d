import { hash32, unit } from '../model/seeded-hash.ts';
import type { HostRobots, Located, Reply, RobotsGroup, RobotsRule } from '../model/web-model.ts';
import type { RobotsShares, WebSpec } from '../model/web-spec.ts';
import { hugeRobotsText, robotsText } from '../server/robots-text.ts';

type RobotsKind = 'plain' | Exclude<keyof RobotsShares, 'crawlDelay' | 'slow' | 'namedGroup'>;
type RobotsPlace = Extract<Located, { kind: 'robots' }>;

/** What robots.txt says of other places. */
export interface RobotsSurroundings {
  origin(host: number): string;
  /** Absolute addresses of the host's sitemaps. */
  sitemaps(host: number): readonly string[];
}

const KINDS: readonly Exclude<RobotsKind, 'plain'>[] = [
  ...(['missing', 'broken', 'moved', 'movedChain', 'movedAway'] as const),
  ...(['forbidden', 'tooManyRequests', 'empty', 'html', 'huge'] as const),
];
const PURPOSE = { kind: 40, crawlDelay: 41, slow: 42, named: 43, flavour: 44, away: 45 } as const;
const TEXT = ['Content-Type', 'text/plain; charset=utf-8'] as const;
const CHAIN_STOPS = 3;
const FINAL_STOP = '/policies/robots.txt';
const AWAY_PREFIX = '/policies/robots-of-';
const NOT_FOUND_PAGE = `<!DOCTYPE html>
<html><head><title>Page not found</title><meta name="robots" content="noindex"></head>
<body><h1>Sorry!</h1><p>We looked everywhere, and this page is nowhere.</p></body></html>
`;

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
    switch (this.kind(host)) {
      case 'missing':
      case 'forbidden':
        return { verdict: 'allow-all' };
      case 'broken':
      case 'tooManyRequests':
        return { verdict: 'disallow-all' };
      case 'empty':
      case 'html':
        return { verdict: 'rules', groups: [] };
      default:
        return { verdict: 'rules', groups: this.#groups(host) };
    }
  }

  /** Whether the file has lines, so that it can name sitemaps. */
  isWritten(host: number): boolean {
    const kind = this.kind(host);
    return kind === 'plain' || kind === 'huge' || kind.startsWith('moved');
  }

  /** The robots.txt, or the stop on the way to one, at this address. */
  locate(host: number, target: string): RobotsPlace | undefined {
    const kind = this.kind(host);
    if (target === '/robots.txt') return { kind: 'robots', of: host, last: !kind.startsWith('moved'), target };
    if (!target.startsWith('/policies/')) return undefined;
    if (target.startsWith(AWAY_PREFIX)) {
      const of = Number.parseInt(target.slice(AWAY_PREFIX.length), 10);
      const known = of >= 0 && of < this.#spec.hosts && target === `${AWAY_PREFIX}${of}.txt`;
      return known && this.kind(of) === 'movedAway' && this.#awayHost(of) === host
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

  reply(found: RobotsPlace, around: RobotsSurroundings): Reply {
    const host = found.of;
    const kind = this.kind(host);
    if (!found.last) {
      const status = (hash32(this.#spec.seed, host, 0, PURPOSE.flavour) & 1) === 0 ? 301 : 302;
      return { status, headers: ['Location', this.#nextStop(host, kind, found.target, around)], body: '' };
    }
    switch (kind) {
      case 'missing':
        return { status: 404, headers: TEXT, body: 'no robots.txt here\n' };
      case 'forbidden':
        return { status: 403, headers: TEXT, body: 'User-agent: *\nDisallow: /\n' };
      case 'broken':
        return { status: 500, headers: TEXT, body: 'User-agent: *\nAllow: /\n' };
      case 'tooManyRequests': {
        const headers = [...TEXT, 'Retry-After', String(this.#spec.retryAfterSeconds)];
        return { status: 429, headers, body: 'User-agent: *\nAllow: /\n' };
      }
      case 'empty':
        return { status: 200, headers: TEXT, body: '' };
      case 'html':
        return { status: 200, headers: ['Content-Type', 'text/html'], body: NOT_FOUND_PAGE };
      case 'huge':
        return { status: 200, headers: TEXT, body: this.#huge(host, around) };
      default: {
        const flavour = hash32(this.#spec.seed, host, 1, PURPOSE.flavour);
        const body = robotsText(`site ${host}`, this.#groups(host), around.sitemaps(host), flavour);
        return { status: 200, headers: TEXT, body };
      }
    }
  }

  isSlow(host: number): boolean {
    return this.#has(host, PURPOSE.slow, this.#spec.robots.slow);
  }

  kind(host: number): RobotsKind {
    if (host === 0) return 'plain';
    const draw = unit(hash32(this.#spec.seed, host, 0, PURPOSE.kind));
    let bound = 0;
    for (const kind of KINDS) {
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
    while (at === host || this.kind(at) !== 'plain') at = (at + 1) % hosts;
    return at;
  }

  #chainStop(target: string): number {
    for (let stop = 1; stop <= CHAIN_STOPS; stop++) if (target === `/policies/stop-${stop}`) return stop;
    return 0;
  }

  #nextStop(host: number, kind: RobotsKind, target: string, around: RobotsSurroundings): string {
    if (kind === 'movedAway') return `${around.origin(this.#awayHost(host))}${AWAY_PREFIX}${host}.txt`;
    if (kind === 'moved') return FINAL_STOP;
    const stop = this.#chainStop(target);
    return stop === CHAIN_STOPS ? FINAL_STOP : `/policies/stop-${stop + 1}`;
  }

  #groups(host: number): RobotsGroup[] {
    const { robots, crawlDelaySeconds, namedAgent } = this.#spec;
    const delay = this.#has(host, PURPOSE.crawlDelay, robots.crawlDelay) ? { crawlDelaySeconds } : {};
    const named = this.#has(host, PURPOSE.named, robots.namedGroup);
    return [
      { agents: ['examplebot', 'otherbot'], rules: [{ allow: false, pattern: '/' }] },
      ...(named ? [{ agents: [namedAgent.toLowerCase()], rules: NAMED_RULES, ...delay }] : []),
      // Two groups for everybody: they count as one.
      { agents: ['*'], rules: RULES.slice(0, 2), ...delay },
      { agents: ['*'], rules: RULES.slice(2) },
    ];
  }

  #huge(host: number, around: RobotsSurroundings): string {
    const groups = this.#groups(host);
    const early = robotsText(`site ${host}`, groups.slice(0, -1), around.sitemaps(host), 16);
    const everybody = ['*', this.#spec.namedAgent.toLowerCase()];
    const beyond = { agents: everybody, rules: [{ allow: false, pattern: '/' }] };
    return hugeRobotsText(early, groups[groups.length - 1], beyond);
  }
}
