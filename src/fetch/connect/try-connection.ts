import type { Clock } from '../../base/clock.ts';
import type { FailureCode } from '../../contracts/fetcher.ts';
import { DeadlineSweep } from '../deadline-sweep.ts';
import type { AddressGuard } from './address-guard.ts';
import { ConnectFailure, ProxyFailure } from './connection.ts';
import { Connector } from './connector.ts';
import type { DnsCache } from './dns-cache.ts';
import { OpenConnections } from './open-connections.ts';
import { parseProxyServer } from './proxy-server.ts';
import { SocketOpener } from './socket-opener.ts';

export interface TryConnectionOptions {
  readonly userAgent: string;
  readonly connectMs: number;
  readonly rejectUnauthorized: boolean;
  /** Any of them will do. */
  readonly proxies: readonly string[];
}

export interface TryConnectionDeps {
  readonly clock: Clock;
  readonly dns: DnsCache;
  readonly guard: AddressGuard;
}

/** Undefined: a connection came about. 'address': it was not tried, as the address may not be connected to. */
export type ConnectionAnswer = FailureCode | 'address' | undefined;

/** Connects to an origin, with TLS where it has https, sends nothing, and hangs up. Never rejects. */
export async function tryConnection(
  origin: string,
  { userAgent, connectMs, rejectUnauthorized, proxies }: TryConnectionOptions,
  { clock, dns, guard }: TryConnectionDeps,
): Promise<ConnectionAnswer> {
  const sweep = new DeadlineSweep(clock, 100);
  const opener = new SocketOpener({ allowH2: true, rejectUnauthorized }, { clock, sweep });
  const options = { connectMs, maxHeadBytes: 0, userAgent };
  const ways = proxies.length === 0 ? [{}] : proxies.map((proxy) => ({ proxy: parseProxyServer(proxy) }));
  let answer: ConnectionAnswer;
  for (const way of ways) {
    const open = new OpenConnections(1);
    const connector = new Connector({ ...options, ...way }, { clock, dns, guard, sweep, opener, open });
    const error = await connectOnce(connector, origin);
    if (error === null) return undefined;
    answer = error instanceof ConnectFailure ? error.failure : 'address';
    if (!(error instanceof ProxyFailure)) break;
  }
  return answer;
}

/** The error, or null where a connection came about. */
async function connectOnce(connector: Connector, origin: string): Promise<Error | null> {
  const { protocol, host, hostname, port } = new URL(origin);
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return await new Promise((resolve) => {
    connector.connect({ protocol, host, hostname: bare, port }, (error, socket) => {
      socket?.destroy();
      resolve(error);
    });
  });
}
