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
  readonly #underWay = new Map<string, number>();

  constructor(domainOf: DomainOfHost) {
    this.#domainOf = domainOf;
  }

  /** Whether a request to the host may begin now. */
  mayBegin(host: HostKey): boolean {
    if (this.#seenHosts.has(host)) return true;
    const domain = this.#domainOf(host);
    return (this.#underWay.get(domain) ?? 0) < FIRST_HOSTS + PER_HOST_SEEN * (this.#seenOf.get(domain) ?? 0);
  }

  begin(host: HostKey): void {
    if (this.#seenHosts.has(host)) return;
    const domain = this.#domainOf(host);
    this.#underWay.set(domain, (this.#underWay.get(domain) ?? 0) + 1);
  }

  /** The request has ended. `seen`: a page of the host has answered, so that it is new no longer. */
  end(host: HostKey, seen: boolean): void {
    if (this.#seenHosts.has(host)) return;
    const domain = this.#domainOf(host);
    const underWay = (this.#underWay.get(domain) ?? 1) - 1;
    if (underWay <= 0) this.#underWay.delete(domain);
    else this.#underWay.set(domain, underWay);
    if (!seen) return;
    if (this.#seenHosts.size >= REMEMBERED) {
      this.#seenHosts.clear();
      this.#seenOf.clear();
    }
    this.#seenHosts.add(host);
    this.#seenOf.set(domain, (this.#seenOf.get(domain) ?? 0) + 1);
  }
}
