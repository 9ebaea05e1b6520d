import { hash32, pick, unit } from '../model/seeded-hash.ts';
import type { SiteShares, TrapKind, WebSpec } from '../model/web-spec.ts';

const PURPOSE = { latency: 80, bandwidth: 81, gzip: 82, mirror: 83, original: 84, flavour: 85 } as const;
const SITE_PURPOSE: Record<keyof SiteShares, number> = {
  mirror: PURPOSE.mirror,
  sitemap: 90,
  feed: 91,
  softNotFound: 92,
  validators: 93,
  wiki: 94,
};
const TRAP_PURPOSE: Record<TrapKind, number> = {
  calendar: 100,
  sessionQuery: 101,
  sessionPath: 102,
  endlessPath: 103,
  endlessSubdomains: 104,
  tarpit: 105,
  maze: 106,
  redirectMaze: 107,
  facets: 108,
  bomb: 109,
  unknownSession: 110,
  pagination: 111,
  variants: 112,
  brokenLinks: 113,
};
export const TRAP_KINDS = Object.keys(TRAP_PURPOSE) as readonly TrapKind[];
/** Draws before the search for an original gives up. */
const DRAWS = 16;

/** What each host is, beyond its robots.txt: whose mirror, what it offers, what traps it lays, how fast it answers. */
export class SitePlan {
  readonly #spec: WebSpec;
  /** Of each host the one whose bytes it sends: itself, or the host that it mirrors. */
  readonly #sources: Int32Array;

  constructor(spec: WebSpec) {
    this.#spec = spec;
    this.#sources = Int32Array.from({ length: spec.hosts }, (_, host) => this.#original(host));
  }

  /** The host whose pages this host shows: its own, but for mirrors. */
  source(host: number): number {
    return this.#sources[host];
  }

  has(host: number, trait: Exclude<keyof SiteShares, 'mirror'>): boolean {
    return this.#drawn(this.source(host), SITE_PURPOSE[trait], this.#spec.sites[trait]);
  }

  lays(host: number, trap: TrapKind): boolean {
    return this.#drawn(this.source(host), TRAP_PURPOSE[trap], this.#spec.traps[trap]);
  }

  compresses(host: number): boolean {
    return this.#drawn(host, PURPOSE.gzip, this.#spec.gzipShare);
  }

  latencyMs(host: number): number {
    return this.#between(host, this.#spec.latencyMs, PURPOSE.latency);
  }

  /** 0: no limit. */
  bytesPerSecond(host: number): number {
    return this.#between(host, this.#spec.bytesPerSecond, PURPOSE.bandwidth);
  }

  /** 32 bits for choices within a trait. */
  flavour(host: number): number {
    return hash32(this.#spec.seed, this.source(host), 0, PURPOSE.flavour);
  }

  /** Mirrors are drawn among the hosts that no other host is reached through: they do not show links of their own. */
  #original(host: number): number {
    const { seed, hosts, sites } = this.#spec;
    if (sites.mirror === 0 || !this.#mirrors(host)) return host;
    for (let draw = 0; draw < DRAWS; draw++) {
      const candidate = pick(hash32(seed, host, draw, PURPOSE.original), hosts);
      if (candidate < host && !this.#mirrors(candidate)) return candidate;
    }
    return host;
  }

  #mirrors(host: number): boolean {
    const leadsOn = 2 * host + 1 < this.#spec.hosts;
    return host > 0 && !leadsOn && this.#drawn(host, PURPOSE.mirror, 2 * this.#spec.sites.mirror);
  }

  #drawn(host: number, purpose: number, share: number): boolean {
    return share > 0 && unit(hash32(this.#spec.seed, host, 0, purpose)) < share;
  }

  #between(host: number, [least, most]: readonly [number, number], purpose: number): number {
    if (most === 0) return 0;
    return least + (most - least) * unit(hash32(this.#spec.seed, host, 0, purpose));
  }
}
