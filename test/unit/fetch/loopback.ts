import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { VirtualClock } from '../../../src/base/virtual-clock.ts';
import type { FetchResult } from '../../../src/contracts/fetcher.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { type AddressGuard, createAddressGuard } from '../../../src/fetch/connect/address-guard.ts';
import { DnsCache } from '../../../src/fetch/connect/dns-cache.ts';
import type { CookieJar } from '../../../src/fetch/cookie-jar.ts';
import { createHttpFetcher, type HttpFetcher, type HttpFetcherOptions } from '../../../src/fetch/http-fetcher.ts';

export const USER_AGENT = 'OrbweaverTest/1.0 (+https://example.org/bot)';

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** The bytes of every request, as received. */
  readonly requests: string[];
  connections: number;
}

/** A TCP server that hands every whole request (head) to `answer`. */
export async function serveRaw(answer: (socket: Socket, request: string, nth: number) => void): Promise<RawServer> {
  const open = new Set<Socket>();
  const requests: string[] = [];
  const server = createTcpServer((socket) => {
    raw.connections++;
    open.add(socket);
    let pending = '';
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.on('data', (piece) => {
      pending += piece.toString('latin1');
      for (let end = pending.indexOf('\r\n\r\n'); end !== -1; end = pending.indexOf('\r\n\r\n')) {
        const request = pending.slice(0, end + 4);
        pending = pending.slice(end + 4);
        requests.push(request);
        answer(socket, request, requests.length);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const raw: RawServer = {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
  return raw;
}

export interface HttpServer extends AsyncDisposable {
  readonly port: number;
}

export async function serveHttp(listener: RequestListener): Promise<HttpServer> {
  return listening(createServer(listener));
}

export async function listening(server: Pick<Server, 'listen' | 'address' | 'close' | 'once'>): Promise<HttpServer> {
  server.listen(0, '127.0.0.1');
  await once(server as Server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      (server as Server).closeAllConnections?.();
      server.close();
    },
  };
}

export interface TestFetcher extends AsyncDisposable {
  readonly fetcher: HttpFetcher;
  fetch(url: string, more?: Omit<Parameters<HttpFetcher['fetch']>[0], 'url'>): Promise<FetchResult>;
}

/** A fetcher whose names are all those of `hosts`, by default `site.test` and `*.test` on loopback. */
export function testFetcher(
  options: Partial<HttpFetcherOptions> = {},
  deps: { clock?: Clock; dns?: DnsCache; guard?: AddressGuard; cookies?: CookieJar } = {},
): TestFetcher {
  const clock = deps.clock ?? systemClock;
  const hosts = Object.fromEntries(
    ['site.test', 'other.test', 'secure.test', 'www.secure.test', 'wrong.test'].map((name) => [name, '127.0.0.1']),
  );
  const fetcher = createHttpFetcher(
    { userAgent: USER_AGENT, ...options },
    {
      clock,
      dns: deps.dns ?? new DnsCache([], { hosts }, { clock }),
      guard: deps.guard ?? createAddressGuard({ allowPrivate: true }),
      cookies: deps.cookies,
    },
  );
  return {
    fetcher,
    fetch: (url, more = {}) => fetcher.fetch({ url: url as CanonicalUrl, ...more }),
    [Symbol.asyncDispose]: () => fetcher.close(),
  };
}

/** The response, or an error that shows what came instead. */
export function response(result: FetchResult): Extract<FetchResult, { kind: 'response' }> {
  if (result.kind !== 'response') throw new Error(`no response but ${JSON.stringify(result)}`);
  return result;
}

export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** `kind`, and the code or rule where there is one. */
export function brief(result: FetchResult): string {
  if (result.kind === 'failed') return `failed ${result.code}`;
  return result.kind === 'refused' ? `refused ${result.by}: ${result.rule}` : result.kind;
}

/** Lets virtual time pass in small steps, with the real network between them, until the promise settles. */
export async function settleWithin<T>(clock: VirtualClock, ms: number, promise: Promise<T>): Promise<T> {
  let done = false;
  const mark = (): void => {
    done = true;
  };
  promise.then(mark, mark);
  for (let passed = 0; passed <= ms && !done; passed += 50) {
    clock.advance(50);
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  }
  if (!done) throw new Error(`not settled within ${ms} ms of virtual time`);
  return promise;
}

/** Waits for real events, not for time: turns of the event loop until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

export function tlsFixture(name: 'ca.pem' | 'server.pem' | 'server-key.pem'): string {
  return readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
}
