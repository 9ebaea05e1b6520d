import type { Clock } from '../../base/clock.ts';
import { fingerprint } from '../../base/fingerprint.ts';
import { type ProxyServer, proxyName } from './proxy-server.ts';

export interface ProxyPoolDeps {
  readonly clock: Clock;
  /** Connects to the proxy and hangs up; rejects where that fails. */
  readonly probe: (proxy: ProxyServer) => Promise<void>;
}

/** Failures in a row after which a proxy is left out: one lost connection says little. */
const FAILURES = 2;
const FIRST_REST_MS = 10_000;
const LONGEST_REST_MS = 600_000;
/** Hosts that are away from the proxy that is theirs by hash; the oldest return to it beyond that. */
const MAX_MOVED = 100_000;

interface Health {
  readonly server: ProxyServer;
  readonly seed: string;
  /** In a row. */
  failures: number;
  /** Undefined: it works, as far as is known. */
  outUntil: number | undefined;
  restMs: number;
  why: string;
  probing: boolean;
}

/**
 * Which proxy a host is asked through. Each host has one by its name and keeps it while it works, so that its server sees one address.
 * One that fails rests, longer each time, and is then connected to without a request before hosts are given to it again.
 * Invariant: a host that was moved stays where it is while that proxy works.
 */
export class ProxyPool {
  readonly #proxies: readonly Health[];
  readonly #deps: ProxyPoolDeps;
  readonly #moved = new Map<string, Health>();

  constructor(servers: readonly ProxyServer[], deps: ProxyPoolDeps) {
    this.#deps = deps;
    this.#proxies = servers.map((server) => ({
      ...{ server, seed: proxyName(server), failures: 0, outUntil: undefined },
      ...{ restMs: FIRST_REST_MS, why: '', probing: false },
    }));
  }

  /** Undefined where none works, nor is due for another try. */
  choose(host: string): ProxyServer | undefined {
    const now = this.#deps.clock.now();
    for (const proxy of this.#proxies) if (isDue(proxy, now)) this.#probe(proxy);
    const current = this.#moved.get(host);
    if (current !== undefined && current.outUntil === undefined) return current.server;
    const ranked = this.#ranked(host);
    const chosen = ranked.find(({ outUntil }) => outUntil === undefined) ?? ranked.find((proxy) => isDue(proxy, now));
    this.#moved.delete(host);
    if (chosen !== undefined && chosen !== ranked[0]) this.#move(host, chosen);
    return chosen?.server;
  }

  /** A connection through it came about. */
  worked(server: ProxyServer): void {
    const proxy = this.#of(server);
    proxy.failures = 0;
    proxy.outUntil = undefined;
    proxy.restMs = FIRST_REST_MS;
  }

  failed(server: ProxyServer, why: string): void {
    const proxy = this.#of(server);
    proxy.why = why;
    proxy.failures++;
    if (proxy.failures >= FAILURES) this.#leaveOut(proxy);
  }

  /** For people: what is wrong with each that does not work. Names no user and no password. */
  trouble(): string {
    const out = this.#proxies.filter(({ outUntil }) => outUntil !== undefined);
    const told = out.map(({ server, why }) =>
      why.startsWith(proxyName(server)) ? why : `${proxyName(server)}: ${why}`,
    );
    return `no proxy works (${told.join('; ')})`;
  }

  #of(server: ProxyServer): Health {
    return this.#proxies.find((proxy) => proxy.server === server)!;
  }

  /** Requests that fail together count as one: the rest is not made longer while it lasts. */
  #leaveOut(proxy: Health): void {
    const now = this.#deps.clock.now();
    if (proxy.outUntil !== undefined && proxy.outUntil > now) return;
    proxy.outUntil = now + proxy.restMs;
    proxy.restMs = Math.min(2 * proxy.restMs, LONGEST_REST_MS);
  }

  #probe(proxy: Health): void {
    if (proxy.probing) return;
    proxy.probing = true;
    this.#deps.probe(proxy.server).then(
      () => {
        proxy.probing = false;
        // One that takes connections and lets nothing through is left out again after a single failure, for longer.
        proxy.outUntil = undefined;
        proxy.failures = FAILURES - 1;
      },
      (error: Error) => {
        proxy.probing = false;
        proxy.why = error.message;
        this.#leaveOut(proxy);
      },
    );
  }

  #move(host: string, to: Health): void {
    this.#moved.set(host, to);
    if (this.#moved.size <= MAX_MOVED) return;
    for (const oldest of this.#moved.keys()) {
      this.#moved.delete(oldest);
      break;
    }
  }

  /** Rendezvous hashing: a proxy that is added or removed moves its own share of the hosts alone. */
  #ranked(host: string): Health[] {
    if (this.#proxies.length === 1) return [...this.#proxies];
    const scored = this.#proxies.map((proxy) => ({ proxy, score: fingerprint(`${proxy.seed} ${host}`) }));
    return scored.sort((a, b) => (a.score < b.score ? 1 : a.score > b.score ? -1 : 0)).map(({ proxy }) => proxy);
  }
}

function isDue({ outUntil }: Health, now: number): boolean {
  return outUntil !== undefined && outUntil <= now;
}
