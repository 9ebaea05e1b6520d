import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { FailureCode } from '../../contracts/fetcher.ts';
import type { DeadlineSweep } from '../deadline-sweep.ts';
import { classifyError } from '../failure-table.ts';
import { ConnectFailure } from './connection.ts';

export interface SocketOpenerOptions {
  readonly allowH2: boolean;
  readonly rejectUnauthorized: boolean;
  /** Certificates to trust instead of the usual ones, in PEM. */
  readonly ca?: string | readonly string[];
  /** Of the client, with their keys, in PEM, by origin. */
  readonly certificates?: ReadonlyMap<string, string>;
}

const MAX_SESSIONS = 5000;
const SESSION_MS = 3_600_000;

/** Opens TCP and TLS connections to addresses, never to names. One TLS context serves all; sessions are resumed. */
export class SocketOpener {
  readonly #options: SocketOpenerOptions;
  readonly #clock: Clock;
  readonly #sweep: DeadlineSweep;
  readonly #context: SecureContext;
  /** Of hosts that are shown a certificate, by name and port. */
  readonly #contexts: ReadonlyMap<string, SecureContext>;
  readonly #sessions: TtlCache<string, Buffer>;

  constructor(options: SocketOpenerOptions, deps: { readonly clock: Clock; readonly sweep: DeadlineSweep }) {
    this.#options = options;
    this.#clock = deps.clock;
    this.#sweep = deps.sweep;
    const trusted = options.ca === undefined ? {} : { ca: options.ca as string | string[] };
    this.#context = createSecureContext(trusted);
    this.#contexts = new Map(
      [...(options.certificates ?? [])].map(([origin, pem]) => {
        const { hostname, port } = new URL(origin);
        return [`${bareName(hostname)}:${port || 443}`, createSecureContext({ ...trusted, cert: pem, key: pem })];
      }),
    );
    this.#sessions = new TtlCache(this.#clock, MAX_SESSIONS);
  }

  openTcp(address: string, port: number, deadlineAt: number): Promise<Socket> {
    return this.#await(connect({ host: address, port, noDelay: true }), 'connect', deadlineAt);
  }

  openTls(address: string, port: number, hostname: string, deadlineAt: number): Promise<Socket> {
    return this.#tls({ host: address, port, noDelay: true }, hostname, port, deadlineAt);
  }

  /** TLS inside a tunnel. */
  secure(socket: Socket, hostname: string, port: number, deadlineAt: number): Promise<Socket> {
    return this.#tls({ socket }, hostname, port, deadlineAt);
  }

  #tls(
    target: { host: string; port: number; noDelay: boolean } | { socket: Socket },
    hostname: string,
    port: number,
    deadlineAt: number,
  ): Promise<Socket> {
    const key = `${hostname}:${port}`;
    const socket = connectTls({
      ...target,
      // A literal address has no server name; its certificate is then compared with the address.
      servername: isIP(hostname) === 0 ? hostname : '',
      secureContext: this.#contexts.get(key) ?? this.#context,
      rejectUnauthorized: this.#options.rejectUnauthorized,
      ALPNProtocols: this.#options.allowH2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      session: this.#sessions.get(key),
    });
    socket.on('session', (session: Buffer) => this.#sessions.set(key, session, SESSION_MS));
    return this.#await(socket, 'secureConnect', deadlineAt);
  }

  #await(socket: Socket | TLSSocket, ready: 'connect' | 'secureConnect', deadlineAt: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      let connected = 'encrypted' in socket && !socket.connecting;
      const startedAt = this.#clock.now();
      const watched = {
        check: (now: number) => {
          if (now < deadlineAt) return;
          fail(connected ? 'tls-failed' : 'connect-timeout', `no connection after ${now - startedAt} ms`);
        },
      };
      const settle = (): void => {
        this.#sweep.unwatch(watched);
        socket.removeListener('close', onClose);
      };
      const fail = (failure: FailureCode, detail: string): void => {
        settle();
        socket.destroy();
        reject(new ConnectFailure(failure, detail));
      };
      const onClose = (): void => fail(connected ? 'tls-failed' : 'connect-failed', 'connection closed');
      socket.once('connect', () => {
        connected = true;
      });
      socket.once(ready, () => {
        settle();
        resolve(socket);
      });
      // Stays for the life of the socket: an error with nobody listening would end the process.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        fail(connected ? duringTls(error) : duringConnect(error), error.code ?? error.message);
      });
      socket.once('close', onClose);
      this.#sweep.watch(watched);
    });
  }
}

/** As connections name it: an IPv6 address without its brackets. */
function bareName(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function duringConnect(error: unknown): FailureCode {
  const failure = classifyError(error);
  return failure === 'reset' ? 'connect-failed' : failure;
}

function duringTls(error: unknown): FailureCode {
  return classifyError(error) === 'tls-invalid' ? 'tls-invalid' : 'tls-failed';
}
