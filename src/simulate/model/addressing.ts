/** Where the hosts of a simulated web stand. Part of the web's identity: absolute links hold it. */
export interface Addressing {
  /** 'names': hNNN.synthetic.test, to be mapped. 'addresses': 127.20.x.y, without DNS; Linux answers on all of 127.0.0.0/8. */
  readonly mode: 'names' | 'addresses';
  readonly port: number;
  /** 'https' with HTTP/2; 'http' where it is not said. */
  readonly scheme?: 'http' | 'https';
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

/** host[:port] in lower case, without the scheme's own port. */
function authorityOf(hostname: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  return port === (scheme === 'http' ? 80 : 443) ? hostname : `${hostname}:${port}`;
}

/** Hosts of one web, by number and by Host header. Names below a host with endless subdomains get the next free number. */
export class HostTable {
  readonly scheme: 'http' | 'https';
  /** Hosts that the web was made with: 0 to count - 1. */
  readonly count: number;
  readonly #hostnames: string[];
  readonly #addresses: string[];
  readonly #port: number;
  readonly #authorities: string[] = [];
  readonly #origins: string[] = [];
  readonly #byAuthority = new Map<string, number>();
  readonly #takesSubdomains: (host: number) => boolean;
  /** Of subdomains: the host they belong to. */
  readonly #parents = new Map<number, number>();

  constructor(
    hostnames: readonly string[],
    addresses: readonly string[],
    port: number,
    scheme: 'http' | 'https' = 'http',
    takesSubdomains: (host: number) => boolean = () => false,
  ) {
    this.scheme = scheme;
    this.count = hostnames.length;
    this.#hostnames = [...hostnames];
    this.#addresses = [...addresses];
    this.#port = port;
    this.#takesSubdomains = takesSubdomains;
    for (const name of hostnames) this.#register(name);
  }

  /** `nameOf` names the hosts where they have names. */
  static synthetic(
    count: number,
    addressing: Addressing,
    takesSubdomains?: (host: number) => boolean,
    nameOf: (host: number) => string = numberedName,
  ): HostTable {
    const hosts = Array.from({ length: count }, (_, host) => host);
    const named = addressing.mode === 'names';
    const shared = addressing.hostsPerAddress;
    return new HostTable(
      hosts.map((host) => (named ? nameOf(host) : loopbackAddress(host))),
      hosts.map((host) => {
        if (!named) return loopbackAddress(host);
        return shared === 0 ? '127.0.0.1' : loopbackAddress(Math.floor(host / shared));
      }),
      addressing.port,
      addressing.scheme,
      named ? takesSubdomains : undefined,
    );
  }

  /** All numbers in use: hosts, then subdomains met so far. */
  get known(): number {
    return this.#authorities.length;
  }

  hostname(host: number): string {
    return this.#hostnames[host];
  }

  authority(host: number): string {
    return this.#authorities[host];
  }

  /** scheme://authority */
  origin(host: number): string {
    return this.#origins[host];
  }

  address(host: number): string {
    return this.#addresses[host];
  }

  /** Of an endless subdomain the host that it belongs to, of a host itself. */
  parent(host: number): number {
    return host < this.count ? host : (this.#parents.get(host) ?? host);
  }

  /** The number of a host by its Host header in any case; -1 for strangers. */
  find(authority: string): number {
    const found = this.#byAuthority.get(authority);
    if (found !== undefined) return found;
    const lower = authority.toLowerCase();
    return this.#byAuthority.get(lower) ?? this.#subdomain(lower);
  }

  /** The address of a name without a port; undefined for names of no host. */
  resolve(hostname: string): string | undefined {
    const host = this.find(authorityOf(hostname, this.#port, this.scheme));
    return host < 0 ? undefined : this.#addresses[host];
  }

  /** Host name -> address, for a crawl's resolver. Subdomains without end are in no table: see name-server.ts. */
  map(): Record<string, string> {
    const names = this.#hostnames.slice(0, this.count);
    return Object.fromEntries(names.map((name, host) => [name, this.#addresses[host]]));
  }

  #subdomain(authority: string): number {
    for (let dot = authority.indexOf('.'); dot >= 0; dot = authority.indexOf('.', dot + 1)) {
      const parent = this.#byAuthority.get(authority.slice(dot + 1));
      if (parent === undefined || parent >= this.count) continue;
      if (!this.#takesSubdomains(parent) || !/^[a-z0-9.-]+$/.test(authority.slice(0, dot))) return -1;
      const colon = authority.lastIndexOf(':');
      const name = colon < 0 ? authority : authority.slice(0, colon);
      this.#hostnames.push(name);
      this.#addresses.push(this.#addresses[parent]);
      const host = this.#register(name);
      this.#parents.set(host, parent);
      return host;
    }
    return -1;
  }

  #register(hostname: string): number {
    const authority = authorityOf(hostname, this.#port, this.scheme);
    const host = this.#authorities.push(authority) - 1;
    this.#origins.push(`${this.scheme}://${authority}`);
    this.#byAuthority.set(authority, host);
    return host;
  }
}

/** All of one domain. */
export function numberedName(host: number): string {
  return `h${String(host).padStart(3, '0')}.synthetic.test`;
}
