import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Clock } from '../../base/clock.ts';
import type { DeadlineSweep } from '../deadline-sweep.ts';
import { ResponseTap } from '../response-tap.ts';
import type { AddressGuard } from './address-guard.ts';
import { AddressRefused, ConnectFailure, type Connection, ProxyFailure } from './connection.ts';
import { type DnsCache, isLocalhostName } from './dns-cache.ts';
import type { OpenConnections } from './open-connections.ts';
import { type ProxyServer, proxyName } from './proxy-server.ts';
import { openTunnel } from './proxy-tunnel.ts';
import type { SocketOpener } from './socket-opener.ts';

export interface ConnectorOptions {
  readonly connectMs: number;
  readonly maxHeadBytes: number;
  readonly userAgent: string;
  readonly proxy?: ProxyServer;
}

export interface ConnectorDeps {
  readonly clock: Clock;
  readonly dns: DnsCache;
  readonly guard: AddressGuard;
  readonly sweep: DeadlineSweep;
  readonly opener: SocketOpener;
  /** Those of other connectors, too. */
  readonly open: OpenConnections;
}

type Target = Parameters<buildConnector.connector>[0];
type Addresses = { readonly addresses: readonly string[]; readonly rest?: Promise<void> };
type Opened = { readonly socket: Connection['socket']; readonly address: string };

/** More addresses than this are not tried: the host is down, not one of its machines. */
const MAX_ATTEMPTS = 4;

/**
 * Makes the connections of the HTTP client: resolves the name, judges each address, and connects to the very address
 * that was judged. There is no second resolution in between, so no answer that changes can lead elsewhere.
 * Invariant: at most one connection per origin is known; it is the one the next request goes over.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #deps: ConnectorDeps;
  readonly #byOrigin = new Map<string, Connection>();

  constructor(options: ConnectorOptions, deps: ConnectorDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** For undici's `connect` option. */
  readonly connect: buildConnector.connector = (target, callback) => {
    this.#establish(target).then(
      (connection) => callback(null, connection.socket),
      (error: Error) => {
        this.#deps.open.counters.failed++;
        callback(error, null);
      },
    );
  };

  connectionTo(origin: string): Connection | undefined {
    return this.#byOrigin.get(origin);
  }

  begin(connection: Connection): void {
    connection.requests++;
    connection.busy++;
    this.#deps.open.used(connection);
  }

  end(connection: Connection): void {
    connection.busy--;
  }

  async #establish(target: Target): Promise<Connection> {
    const secure = target.protocol === 'https:';
    const port = target.port === '' ? (secure ? 443 : 80) : Number(target.port);
    const { proxy } = this.#options;
    const { socket, address } =
      proxy === undefined
        ? await this.#openFirst(await this.#addressesOf(target.hostname), target.hostname, port, secure, true)
        : await this.#openThrough(proxy, target.hostname, port, secure);
    const overH2 = secure && (socket as TLSSocket).alpnProtocol === 'h2';
    const connection: Connection = {
      origin: `${target.protocol}//${target.host}`,
      address,
      socket,
      tap: overH2 ? undefined : new ResponseTap(socket, this.#options.maxHeadBytes),
      requests: 0,
      busy: 0,
    };
    this.#add(connection);
    return connection;
  }

  async #addressesOf(hostname: string): Promise<Addresses> {
    if (isIP(hostname) !== 0) return { addresses: [hostname] };
    const answer = await this.#deps.dns.resolve(hostname);
    if (answer.kind === 'found' && answer.addresses.length > 0) return answer;
    const detail = answer.kind === 'found' ? 'no address' : answer.detail;
    throw new ConnectFailure(answer.kind === 'failed' ? 'dns-failed' : 'dns-not-found', detail);
  }

  /** Tries the addresses one after the other, each judged just before; the failure of the first is the one told. */
  async #openFirst(
    from: Addresses,
    hostname: string,
    port: number,
    secure: boolean,
    guarded: boolean,
  ): Promise<Opened> {
    const { opener, sweep } = this.#deps;
    const { addresses } = from;
    const deadlineAt = sweep.now() + this.#options.connectMs;
    let failure: ConnectFailure | undefined;
    let refusal: AddressRefused | undefined;
    for (let i = 0, attempts = 0; attempts < MAX_ATTEMPTS; i++) {
      // The other family is waited for only when all of this one failed; a refusal is an answer already.
      if (i === addresses.length && failure !== undefined) await from.rest;
      const now = sweep.now();
      if (i >= addresses.length || now >= deadlineAt) break;
      const address = addresses[i];
      if (guarded) {
        const verdict = this.#deps.guard.check(address, hostname, port);
        if (!verdict.allowed) {
          refusal ??= new AddressRefused(`${verdict.why} address ${address}`);
          continue;
        }
      }
      // An address that does not answer must leave time for the next.
      const isLast = i + 1 >= addresses.length || attempts + 1 === MAX_ATTEMPTS;
      const until = isLast ? deadlineAt : now + (deadlineAt - now) / 2;
      attempts++;
      try {
        const opening = secure ? opener.openTls(address, port, hostname, until) : opener.openTcp(address, port, until);
        return { socket: await opening, address };
      } catch (error) {
        if (!(error instanceof ConnectFailure)) throw error;
        failure ??= error;
        // A certificate or handshake that fails at one address fails at all of them.
        if (error.failure === 'tls-invalid' || error.failure === 'tls-failed') break;
      }
    }
    throw failure ?? refusal ?? new ConnectFailure('connect-timeout', 'no time left');
  }

  /** The proxy is allowed by being named in the settings; the targets that can be judged without it still are. */
  async #openThrough(proxy: ProxyServer, hostname: string, port: number, secure: boolean): Promise<Opened> {
    const { guard, opener, sweep } = this.#deps;
    const literal = isLocalhostName(hostname) ? '127.0.0.1' : hostname;
    if (isIP(literal) !== 0) {
      const verdict = guard.check(literal, hostname, port);
      if (!verdict.allowed) throw new AddressRefused(`${verdict.why} address ${literal}`);
    }
    const opened = await this.#openProxy(proxy);
    if (!secure) return opened;
    const deadlineAt = sweep.now() + this.#options.connectMs;
    const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
    const { userAgent } = this.#options;
    await openTunnel(
      opened.socket,
      { authority, proxy: proxyName(proxy), authorization: proxy.authorization, userAgent },
      sweep,
      deadlineAt,
    );
    return { socket: await opener.secure(opened.socket, hostname, port, deadlineAt), address: opened.address };
  }

  async #openProxy(proxy: ProxyServer): Promise<Opened> {
    try {
      const addresses = await this.#addressesOf(proxy.hostname);
      return await this.#openFirst(addresses, proxy.hostname, proxy.port, proxy.secure, false);
    } catch (error) {
      if (!(error instanceof ConnectFailure)) throw error;
      throw new ProxyFailure(proxyName(proxy), `${error.failure} ${error.message}`.trim());
    }
  }

  /** Connects to the proxy itself and hangs up. Rejects where that fails. */
  async probe(proxy: ProxyServer): Promise<void> {
    const { socket } = await this.#openProxy(proxy);
    socket.destroy();
  }

  #add(connection: Connection): void {
    this.#byOrigin.set(connection.origin, connection);
    connection.socket.once('close', () => {
      if (this.#byOrigin.get(connection.origin) === connection) this.#byOrigin.delete(connection.origin);
    });
    this.#deps.open.add(connection);
  }
}
