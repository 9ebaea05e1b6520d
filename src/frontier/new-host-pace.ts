import type { HostKey } from '../contracts/url.ts';
import type { DomainOfHost } from '../url/domain-of-host.ts';

/** New hosts of one domain that may be asked at once before any of them has answered. */
const FIRST_HOSTS = 3;
/** Each two hosts that were seen allow for one more at once. */
const PER_HOST_SEEN = 0.5;
/** Domains and hosts that are remembered; those forgotten begin again, which costs only time. */
const REMEMBERED = 100_000;

/**
 * Hosts of one domain are not asked all at once before it is known what they are like: a domain that makes up host names
 * without end would have a hundred requests under way before the first answer tells so. The more of them were seen, the more
 * may be asked at once, so that honest domains with many hosts are hardly slowed down.
 */
export class NewHostPace {
  readonly #domainOf: DomainOfHost;
  readonly #seenHosts = new Set<HostKey>();
  readonly #seenOf = new Map<string, number>();
  /** Requests to each new host of a domain. */
  readonly #underWay = new Map<string, Map<HostKey, number>>();

  constructor(domainOf: DomainOfHost) {
    this.#domainOf = domainOf;
  }

  /** Whether a request to the host may begin now. One that is being asked already is no further one. */
  mayBegin(host: HostKey): boolean {
    if (this.#seenHosts.has(host)) return true;
    const domain = this.#domainOf(host);
    const hosts = this.#underWay.get(domain);
    if (hosts === undefined || hosts.has(host)) return true;
    return hosts.size < FIRST_HOSTS + PER_HOST_SEEN * (this.#seenOf.get(domain) ?? 0);
  }

  begin(host: HostKey): void {
    if (this.#seenHosts.has(host)) return;
    const domain = this.#domainOf(host);
    const hosts = this.#underWay.get(domain) ?? new Map<HostKey, number>();
    this.#underWay.set(domain, hosts.set(host, (hosts.get(host) ?? 0) + 1));
  }

  /** The request has ended. `seen`: a page of the host has answered, so that it is new no longer. */
  end(host: HostKey, seen: boolean): void {
    if (this.#seenHosts.has(host)) return;
    const domain = this.#domainOf(host);
    const hosts = this.#underWay.get(domain);
    const left = (hosts?.get(host) ?? 1) - 1;
    // Of a host that was seen the other requests are not counted any more.
    if (left > 0 && !seen) hosts?.set(host, left);
    else hosts?.delete(host);
    if (hosts?.size === 0) this.#underWay.delete(domain);
    if (!seen) return;
    if (this.#seenHosts.size >= REMEMBERED) {
      this.#seenHosts.clear();
      this.#seenOf.clear();
    }
    this.#seenHosts.add(host);
    this.#seenOf.set(domain, (this.#seenOf.get(domain) ?? 0) + 1);
  }
}
