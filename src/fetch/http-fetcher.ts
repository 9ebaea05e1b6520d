import type { Clock } from '../base/clock.ts';
import type { OrbweaverError } from '../base/errors.ts';
import { limitError } from '../base/limit-error.ts';
import type { Fetcher, FetchRequest, FetchResult } from '../contracts/fetcher.ts';
import { hostKeyOf, originOf, pathOf } from '../url/host-key.ts';
import type { BodyMemory } from './body/body-memory.ts';
import { SizeCaps } from './body/size-caps.ts';
import type { AddressGuard } from './connect/address-guard.ts';
import { Connector } from './connect/connector.ts';
import type { DnsCache } from './connect/dns-cache.ts';
import { OpenConnections } from './connect/open-connections.ts';
import { ProxyPool } from './connect/proxy-pool.ts';
import { type ProxyServer, parseProxyServer } from './connect/proxy-server.ts';
import { SocketOpener } from './connect/socket-opener.ts';
import { type ConnectionSlot, ConnectionSlots } from './connection-slots.ts';
import type { CookieJar } from './cookie-jar.ts';
import { DeadlineSweep } from './deadline-sweep.ts';
import { type ExchangeDeps, type ExchangeLimits, HttpExchange } from './http-exchange.ts';
import { type RequestHeaderOptions, RequestHeaders } from './request-headers.ts';
import { Agent } from './undici-agent.ts';

export interface HttpFetcherOptions extends RequestHeaderOptions, Partial<ExchangeLimits> {
  /** TCP and TLS, all addresses of the host together. */
  readonly connectMs?: number;
  readonly maxHeadBytes?: number;
  /** Largest body, before and after decompression. */
  readonly maxBytes?: number;
  /** The same by media type or range: `{ 'application/pdf': 64 MiB, 'image/*': 2 MiB }`. */
  readonly maxBytesByType?: Readonly<Record<string, number>>;
  /** How long an idle connection is kept. */
  readonly keepAliveMs?: number;
  /** Requests to one origin that may be under way at once, each over a connection of its own; 1 when absent. More wait. */
  readonly connectionsPerOrigin?: number;
  /** Connections that may be open at once; 512 when absent. */
  readonly maxConnections?: number;
  readonly allowH2?: boolean;
  readonly rejectUnauthorized?: boolean;
  readonly ca?: string | readonly string[];
  /** Of the client, with their keys, in PEM, by origin. */
  readonly certificates?: ReadonlyMap<string, string>;
  /** URLs of http or https proxies, with user and password where they ask for them. Each host is asked through one while that works. */
  readonly proxies?: readonly string[];
  /** How exactly deadlines are kept. */
  readonly tickMs?: number;
}

export interface HttpFetcherDeps {
  readonly clock: Clock;
  readonly dns: DnsCache;
  readonly guard: AddressGuard;
  /** Absent: no cookies are kept or sent. */
  readonly cookies?: CookieJar;
  /** Shared by the bodies of all requests; absent: each takes what it needs. */
  readonly memory?: BodyMemory;
}

export interface HttpFetcher extends Fetcher {
  readonly counters: { readonly opened: number; readonly failed: number; readonly evicted: number };
  readonly openConnections: number;
}

const MEBIBYTE = 1024 * 1024;
/**
 * Idle connections take memory that the heap does not show. With more hosts than this, most are asked again only after
 * their servers have hung up, so that more connections would cost memory and save nothing.
 */
const MAX_CONNECTIONS = 512;

/** GET and HEAD, and forms for logins, over HTTP/1.1 and HTTP/2. Redirects are answers like any other: following them is not this layer's business. */
export function createHttpFetcher(options: HttpFetcherOptions, deps: HttpFetcherDeps): HttpFetcher {
  const { clock, dns, guard, cookies, memory } = deps;
  const maxHeadBytes = options.maxHeadBytes ?? 64 * 1024;
  const sweep = new DeadlineSweep(clock, options.tickMs ?? 100);
  const opener = new SocketOpener(
    {
      allowH2: options.allowH2 ?? true,
      rejectUnauthorized: options.rejectUnauthorized ?? true,
      ca: options.ca,
      ...(options.certificates && { certificates: options.certificates }),
    },
    { clock, sweep },
  );
  const open = new OpenConnections(options.maxConnections ?? MAX_CONNECTIONS);
  const keepAliveMs = options.keepAliveMs ?? 15_000;
  const connectorBy = (proxy?: ProxyServer): Connector =>
    new Connector(
      { connectMs: options.connectMs ?? 10_000, maxHeadBytes, userAgent: options.userAgent, proxy },
      { clock, dns, guard, sweep, opener, open },
    );
  const openSlot = (proxy?: ProxyServer): ConnectionSlot => {
    const connector = connectorBy(proxy);
    const agent = new Agent({
      connect: connector.connect,
      connections: 1,
      pipelining: 1,
      allowH2: options.allowH2 ?? true,
      // Deadlines are ours: one sweep for all requests.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      // Heads reach undici already checked and shortened.
      maxHeaderSize: maxHeadBytes,
    });
    return { agent, connector };
  };
  const servers = (options.proxies ?? []).map(parseProxyServer);
  const slotsBy = (proxy?: ProxyServer) =>
    new ConnectionSlots(() => openSlot(proxy), options.connectionsPerOrigin ?? 1);
  // A connection to a host through one proxy is none through another. Undefined: without a proxy.
  const ways = new Map(servers.length === 0 ? [[undefined, slotsBy()]] : servers.map((one) => [one, slotsBy(one)]));
  const pool = new ProxyPool(servers, { clock, probe: (proxy) => connectorBy().probe(proxy) });
  const headers = new RequestHeaders(options);
  const exchangeDeps: Omit<ExchangeDeps, keyof ConnectionSlot> = {
    clock,
    sweep,
    cookies,
    memory,
    caps: new SizeCaps(options.maxBytes ?? 16 * MEBIBYTE, options.maxBytesByType),
    limits: {
      headersMs: options.headersMs ?? 30_000,
      bodyIdleMs: options.bodyIdleMs ?? 30_000,
      totalMs: options.totalMs ?? 300_000,
      minRate: options.minRate ?? 500,
      minRateGraceMs: options.minRateGraceMs ?? 10_000,
      minRateWindowMs: options.minRateWindowMs ?? 10_000,
      maxDecodeRatio: options.maxDecodeRatio ?? 500,
    },
  };
  let closed = false;

  /** Through the proxy of the host; through another where that cannot be used, as long as there is time. Never without. */
  const sendByProxy = async (request: FetchRequest, host: string): Promise<FetchResult> => {
    const startedAt = clock.now();
    for (;;) {
      const spentMs = clock.now() - startedAt;
      const proxy = closed || spentMs >= exchangeDeps.limits.totalMs ? undefined : pool.choose(host);
      if (proxy === undefined) return { kind: 'failed', code: 'proxy-failed', detail: pool.trouble(), bytes: 0 };
      const result = await send(request, proxy, spentMs);
      if (result.kind === 'failed' && result.code === 'proxy-failed') pool.failed(proxy, result.detail);
      else {
        if (result.kind !== 'refused' && result.exchange !== undefined) pool.worked(proxy);
        return result;
      }
    }
  };

  const send = (request: FetchRequest, proxy?: ProxyServer, spentMs = 0): Promise<FetchResult> => {
    const { url, validators } = request;
    const origin = originOf(url);
    const cookie = cookies?.headerFor(url);
    const fields = headers.for(origin, validators, cookie, request.userAgent);
    if (request.form !== undefined) fields.push('Content-Type', 'application/x-www-form-urlencoded');
    if (request.fields !== undefined) headers.withFields(fields, request.fields, origin);
    // Whoever has the cookie of a session has the session.
    let secrets = cookie === undefined ? headers.secretsOf(origin) : [...headers.secretsOf(origin), 'Cookie'];
    const forwarded = proxy !== undefined && url.startsWith('http://');
    if (forwarded && proxy.authorization !== undefined) {
      fields.push('Proxy-Authorization', proxy.authorization);
      secrets = [...secrets, 'Proxy-Authorization'];
    }
    const outgoing = { origin, path: forwarded ? url : pathOf(url), headers: fields, secrets };
    const { agent, connector, free } = ways.get(proxy)!.take(origin);
    const limits =
      spentMs === 0 ? exchangeDeps.limits : { ...exchangeDeps.limits, totalMs: exchangeDeps.limits.totalMs - spentMs };
    return new Promise((resolve, reject) => {
      const end = (result: FetchResult): void => {
        free();
        const limit = result.kind === 'failed' ? outOfHandles(result.detail) : undefined;
        if (limit === undefined) resolve(result);
        else reject(limit);
      };
      new HttpExchange(request, outgoing, { ...exchangeDeps, limits, agent, connector }, end).start();
    });
  };

  return {
    fetch(request: FetchRequest): Promise<FetchResult> {
      const { url, signal } = request;
      if (closed || signal?.aborted) {
        return Promise.resolve({ kind: 'failed', code: 'aborted', detail: 'before the start', bytes: 0 });
      }
      if (!url.startsWith('http://') && !url.startsWith('https://')) {
        return Promise.resolve({ kind: 'refused', by: 'url', rule: 'neither http nor https' });
      }
      return servers.length === 0 ? send(request) : sendByProxy(request, hostKeyOf(url));
    },
    async close() {
      closed = true;
      await Promise.all([...ways.values()].map((slots) => slots.destroy()));
    },
    get counters() {
      return open.counters;
    },
    get openConnections() {
      return open.size;
    },
  };
}

/** No socket could be opened: the page has no part in that, and the next one would fare no better. */
function outOfHandles(detail: string): OrbweaverError | undefined {
  const code = /(?:^|: [a-z-]+ )(E[MN]FILE)\b/.exec(detail)?.[1];
  return code === undefined ? undefined : limitError({ code });
}
