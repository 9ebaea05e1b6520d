import { promises as dns } from 'node:dns';

/** What the cache asks. `dns.promises.Resolver` is one: c-ares over UDP and TCP, not the blocking pool of `dns.lookup`. */
export interface DnsResolver {
  resolve4(hostname: string, options: { readonly ttl: true }): Promise<readonly DnsRecord[]>;
  resolve6(hostname: string, options: { readonly ttl: true }): Promise<readonly DnsRecord[]>;
  cancel?(): void;
}

export interface DnsRecord {
  readonly address: string;
  /** Seconds. */
  readonly ttl: number;
}

export interface DnsResolverOptions {
  /** Wait for the first answer of a server; c-ares waits longer at each further try. */
  readonly timeoutMs?: number;
  readonly tries?: number;
}

/** One resolver per server, so that the cache sees which one fails; none named means those of the system. */
export function createDnsResolvers(named: readonly string[], options: DnsResolverOptions = {}): DnsResolver[] {
  const servers = named.length > 0 ? named : dns.getServers();
  // c-ares cuts its patience to a multiple of what a server usually takes, down to a quarter of a second: a moment in which
  // this thread is busy would fail every query under way, were there not a few more tries.
  const settings = { timeout: options.timeoutMs ?? 3000, tries: options.tries ?? 5 };
  // Where the system names none, c-ares asks this machine.
  if (servers.length === 0) return [new dns.Resolver(settings)];
  return servers.map((server) => {
    const resolver = new dns.Resolver(settings);
    resolver.setServers([server]);
    return resolver;
  });
}
