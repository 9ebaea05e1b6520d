import { Agent } from 'undici';
import type { Clock } from '../base/clock.ts';
import type { AddressGuard } from './connect/address-guard.ts';
import { ProxyFailure } from './connect/connection.ts';
import { Connector } from './connect/connector.ts';
import type { DnsCache } from './connect/dns-cache.ts';
import { OpenConnections } from './connect/open-connections.ts';
import { type ProxyServer, parseProxyServer } from './connect/proxy-server.ts';
import { SocketOpener } from './connect/socket-opener.ts';
import { DeadlineSweep } from './deadline-sweep.ts';

export interface GuardedPostOptions {
  readonly userAgent: string;
  readonly connectMs?: number;
  /** From the first byte sent to the last received. */
  readonly totalMs?: number;
  readonly rejectUnauthorized?: boolean;
  /** The first one that can be connected to is used. */
  readonly proxies?: readonly string[];
}

export interface GuardedPostDeps {
  readonly clock: Clock;
  readonly dns: DnsCache;
  readonly guard: AddressGuard;
}

export type PostAnswer =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The beginning of it. */
      readonly body: string;
      header(name: string): string | undefined;
    }
  | { readonly kind: 'failed'; readonly why: string };

export interface GuardedPost {
  /** Never rejects. Redirects are answers. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<PostAnswer>;
  close(): Promise<void>;
}

const BODY_BYTES = 4096;
const HEAD_BYTES = 16 * 1024;

/** POST to addresses that strangers name: every address is judged before it is connected to, as for pages. */
export function createGuardedPost(options: GuardedPostOptions, deps: GuardedPostDeps): GuardedPost {
  const { clock, dns, guard } = deps;
  const sweep = new DeadlineSweep(clock, 100);
  const opener = new SocketOpener(
    { allowH2: false, rejectUnauthorized: options.rejectUnauthorized ?? true },
    { clock, sweep },
  );
  const open = new OpenConnections(50);
  const ways = waysOut(options.proxies).map((proxy) => {
    const connector = new Connector(
      { connectMs: options.connectMs ?? 10_000, maxHeadBytes: HEAD_BYTES, userAgent: options.userAgent, proxy },
      { clock, dns, guard, sweep, opener, open },
    );
    const agent = new Agent({ connect: connector.connect, connections: 1, pipelining: 1, maxHeaderSize: HEAD_BYTES });
    return { proxy, agent };
  });
  return {
    async post(written, headers, body) {
      const url = URL.parse(written);
      if (url === null || !/^https?:$/.test(url.protocol)) return { kind: 'failed', why: 'not an http or https URL' };
      let why = '';
      for (const way of ways) {
        try {
          return await ask(way, url, headers, body);
        } catch (error) {
          why = error instanceof Error ? error.message : String(error);
          if (!(error instanceof ProxyFailure)) break;
        }
      }
      return { kind: 'failed', why };
    },
    async close() {
      await Promise.all(ways.map(({ agent }) => agent.destroy()));
    },
  };

  async function ask({ proxy, agent }: Way, url: URL, headers: Readonly<Record<string, string>>, body: string) {
    // Plain HTTP goes to a proxy with the whole address.
    const forwarded = proxy !== undefined && url.protocol === 'http:';
    const credentials = forwarded ? proxy.authorization : undefined;
    const answer = await agent.request({
      origin: url.origin,
      path: forwarded ? url.href : `${url.pathname}${url.search}`,
      method: 'POST',
      headers: {
        'user-agent': options.userAgent,
        ...headers,
        ...(credentials === undefined ? {} : { 'proxy-authorization': credentials }),
      },
      body,
      signal: AbortSignal.timeout(options.totalMs ?? 30_000),
    });
    return {
      kind: 'response' as const,
      status: answer.statusCode,
      body: await beginning(answer.body),
      header: (name: string) => [answer.headers[name] ?? []].flat()[0],
    };
  }
}

interface Way {
  readonly proxy: ProxyServer | undefined;
  readonly agent: Agent;
}

/** Never both: who names a proxy wants no direct connection. */
function waysOut(proxies: readonly string[] = []): (ProxyServer | undefined)[] {
  return proxies.length === 0 ? [undefined] : proxies.map(parseProxyServer);
}

async function beginning(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length >= BODY_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, BODY_BYTES).toString('utf8');
}
