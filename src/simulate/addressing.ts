/** Where the hosts of a simulated web stand. Part of the web's identity: absolute links hold it. */
export interface Addressing {
  /**
   * 'names': hNNN.synthetic.test, for crawlers that can be given a map of names.
   * 'addresses': 127.20.x.y, for any crawler, without DNS; Linux answers on all of 127.0.0.0/8.
   */
  readonly mode: 'names' | 'addresses';
  readonly port: number;
  /** With names: how many hosts share an address; 0 puts all on 127.0.0.1 (works on every system). */
  readonly hostsPerAddress: number;
}

/** The loopback address number `index`: 127.20.0.1, 127.20.0.2 ... 250 to the last octet, 250 to the one before. */
export function loopbackAddress(index: number): string {
  const low = index % 250;
  const middle = Math.floor(index / 250) % 250;
  const high = 20 + Math.floor(index / 62_500);
  return `127.${high}.${middle}.${low + 1}`;
}

/** host[:port] in lower case, without http's own port. */
export function authorityOf(hostname: string, port: number): string {
  return port === 80 ? hostname : `${hostname}:${port}`;
}

/** Hosts of one web, found by number and by the Host header. */
export class HostTable {
  readonly #hostnames: readonly string[];
  readonly #addresses: readonly string[];
  readonly #authorities: readonly string[];
  readonly #byAuthority = new Map<string, number>();

  constructor(hostnames: readonly string[], addresses: readonly string[], port: number) {
    this.#hostnames = hostnames;
    this.#addresses = addresses;
    this.#authorities = hostnames.map((name) => authorityOf(name, port));
    for (const [host, authority] of this.#authorities.entries()) this.#byAuthority.set(authority, host);
  }

  static synthetic(count: number, addressing: Addressing): HostTable {
    const hosts = Array.from({ length: count }, (_, host) => host);
    const named = addressing.mode === 'names';
    const shared = addressing.hostsPerAddress;
    return new HostTable(
      hosts.map((host) => (named ? `h${String(host).padStart(3, '0')}.synthetic.test` : loopbackAddress(host))),
      hosts.map((host) => {
        if (!named) return loopbackAddress(host);
        return shared === 0 ? '127.0.0.1' : loopbackAddress(Math.floor(host / shared));
      }),
      addressing.port,
    );
  }

  get count(): number {
    return this.#hostnames.length;
  }

  authority(host: number): string {
    return this.#authorities[host];
  }

  address(host: number): string {
    return this.#addresses[host];
  }

  /** The number of a host by its Host header in any case; -1 for strangers. */
  find(authority: string): number {
    return this.#byAuthority.get(authority) ?? this.#byAuthority.get(authority.toLowerCase()) ?? -1;
  }

  /** Host name -> address, for a crawl's resolver. */
  map(): Record<string, string> {
    return Object.fromEntries(this.#hostnames.map((name, host) => [name, this.#addresses[host]]));
  }
}
