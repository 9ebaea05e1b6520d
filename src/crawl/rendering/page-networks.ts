import type { Clock } from '../../base/clock.ts';
import { robotsAgentOf } from '../../base/robots-names.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { RenderOrder } from '../../contracts/content/renderer.ts';
import type { Fetcher } from '../../contracts/fetcher.ts';
import type { PageStore } from '../../contracts/page-store.ts';
import { type AddressGuard, createAddressGuard, notPublic } from '../../fetch/connect/address-guard.ts';
import type { LoadingPage } from '../../render/sub-requests.ts';
import { type Network, openNetwork } from '../visit/open-network.ts';
import { SubResourceRobots } from './sub-resource-robots.ts';

export interface PageNetworksSources {
  readonly settings: Settings;
  readonly version: string;
  readonly clock: Clock;
  readonly pages: Pick<PageStore, 'robots'>;
  /** As they are now. */
  readonly seeds: () => readonly string[];
}

interface Way {
  readonly network: Network;
  readonly robots: SubResourceRobots;
}

/**
 * The way out for what rendered pages load. Where the settings let the crawl reach addresses that are not public, a page of the public
 * internet still does not: it could ask for the devices of this network in our name. It reaches them only at hosts of seeds. Pages that came
 * from such an address load what the settings allow.
 */
export class PageNetworks implements AsyncDisposable {
  readonly #inside: Way;
  readonly #outside: Way;
  readonly #hasProxy: boolean;

  constructor(sources: PageNetworksSources) {
    const { settings } = sources;
    const { allowPrivate, allowHosts: allowList } = settings;
    const guard = createAddressGuard({ allowPrivate, allowList });
    this.#hasProxy = settings.proxy.length > 0;
    this.#inside = openWay(sources, guard);
    const isOpen = allowPrivate || allowList.length > 0;
    this.#outside = isOpen ? openWay(sources, guardedFromOutside(guard, sources.seeds)) : this.#inside;
  }

  fetcherFor({ isPrivate }: LoadingPage): Pick<Fetcher, 'fetch'> {
    return (isPrivate ? this.#inside : this.#outside).network.fetcher;
  }

  robotsFor({ isPrivate }: LoadingPage): SubResourceRobots {
    return (isPrivate ? this.#inside : this.#outside).robots;
  }

  /** Behind a proxy the address is that of the proxy: only an address in the URL itself tells. */
  isPrivate({ url, address }: Pick<RenderOrder, 'url' | 'address'>): boolean {
    const told = this.#hasProxy ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : address;
    const why = notPublic(told);
    return why !== undefined && why !== 'not-an-address';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inside.network[Symbol.asyncDispose]();
    if (this.#outside !== this.#inside) await this.#outside.network[Symbol.asyncDispose]();
  }
}

function openWay({ settings, version, clock, pages }: PageNetworksSources, guard: AddressGuard): Way {
  // Cookies, sessions and certificates stay out of it: who is known where is nothing that scripts of other sites may use.
  const unknown = { cookies: false, login: [], cookieFiles: [], clientCertificates: {} };
  const network = openNetwork({ ...settings, ...unknown }, version, clock, undefined, undefined, undefined, guard);
  const { robotsMaxAge: maxAgeMs } = settings;
  const agent = robotsAgentOf(settings);
  return { network, robots: new SubResourceRobots(network.fetcher, pages, clock, { agent, maxAgeMs }) };
}

/** Lets through what is public, and of the rest what the crawl may reach and a seed has named. */
function guardedFromOutside(guard: AddressGuard, seeds: () => readonly string[]): AddressGuard {
  return {
    check(address, hostname, port) {
      const verdict = guard.check(address, hostname, port);
      const why = notPublic(address);
      if (!verdict.allowed || why === undefined || isOfSeed(seeds(), hostname, port)) return verdict;
      return { allowed: false, why };
    },
  };
}

function isOfSeed(seeds: readonly string[], hostname: string, port: number): boolean {
  return seeds.some((seed) => {
    const url = URL.parse(seed);
    if (url === null || !/^https?:$/.test(url.protocol)) return false;
    const named = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    return url.hostname.replace(/^\[(.*)\]$/, '$1') === hostname.replace(/^\[(.*)\]$/, '$1') && named === port;
  });
}
