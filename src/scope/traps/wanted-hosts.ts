import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { registrableDomain } from '../../url/public-suffix.ts';

/** New pages without an end in sight from a host that only links led to: honest trees stay below it, mazes do not. */
const ENDLESS_PAGES = 10_000;
/** A link from another domain stands for this many more. */
const PAGES_PER_SUPPORT = 100;

/** What is known of a host by its patterns. */
interface HostTally {
  readonly host: string;
  readonly domain: string;
  readonly endless: number;
  readonly supports: number;
}

/** Where new content is never held against a page: the hosts of seeds, and within a wide budget the other hosts of their domains. */
export class WantedHosts {
  readonly #hosts = new Set<string>();
  readonly #domains = new Set<string>();

  add(seed: CanonicalUrl): void {
    const host = hostKeyOf(seed);
    this.#hosts.add(bareName(host));
    this.#domains.add(domainOf(host));
  }

  /** The host of a seed. */
  names(host: string): boolean {
    return this.#hosts.has(bareName(host));
  }

  has({ host, domain, endless, supports }: HostTally): boolean {
    if (!this.#domains.has(domain)) return false;
    return endless < ENDLESS_PAGES + PAGES_PER_SUPPORT * supports || this.#hosts.has(bareName(host));
  }
}

/** As PatternTree.domain: the registrable domain, or the host where there is none. */
export function domainOf(host: string): string {
  return registrableDomain(host.startsWith('[') ? host : host.split(':', 1)[0]) ?? host;
}

/** A site is often named with and without it. */
function bareName(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}
