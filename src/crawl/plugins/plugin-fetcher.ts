import { type Clock, dateOf } from '../../base/clock.ts';
import type { Exchange, Fetcher, FetchRequest, FetchResult } from '../../contracts/fetcher.ts';
import type { SchemeAnswer, SchemeFetcher } from '../../contracts/plugin.ts';
import { AddressRefused, ConnectFailure } from '../../fetch/connect/connection.ts';
import { classifyError } from '../../fetch/failure-table.ts';
import { ReceivedHead } from '../../fetch/response-head.ts';
import { describePluginFault, type Part } from '../../plugins/plugins.ts';

export interface PluginFetcherParts {
  /** For all other URLs. */
  readonly web: Fetcher;
  /** By scheme, with its colon. */
  readonly fetchers: ReadonlyMap<string, Part<SchemeFetcher>>;
  /** A guarded address; throws `AddressRefused` or `ConnectFailure`. */
  readonly addressOf: (hostname: string, port: number) => Promise<string>;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly maxBytes: number;
  readonly totalMs: number;
}

/** Gives URLs to the plug-in that fetches their scheme, and what it answers the form that HTTP has. */
export class PluginFetcher implements Fetcher {
  readonly #parts: PluginFetcherParts;
  readonly #closing = new AbortController();

  constructor(parts: PluginFetcherParts) {
    this.#parts = parts;
  }

  fetch(request: FetchRequest): Promise<FetchResult> {
    const scheme = request.url.slice(0, request.url.indexOf(':') + 1);
    const part = this.#parts.fetchers.get(scheme);
    return part === undefined ? this.#parts.web.fetch(request) : this.#fetch(part, request);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#parts.web.close();
  }

  async #fetch({ plugin, call }: Part<SchemeFetcher>, request: FetchRequest): Promise<FetchResult> {
    const { clock, totalMs, userAgent } = this.#parts;
    const maxBytes = request.maxBytes ?? this.#parts.maxBytes;
    const deadline = AbortSignal.timeout(totalMs);
    const signal = AbortSignal.any([this.#closing.signal, deadline, ...(request.signal ? [request.signal] : [])]);
    const startedAt = clock.now();
    const date = dateOf(clock, startedAt);
    let address = '';
    const exchange = (): Exchange => ({
      ...{ startedAt, endedAt: clock.now(), address, requestHead: `GET ${request.url}\r\n\r\n` },
      ...(date === startedAt ? {} : { date }),
    });
    try {
      const asked = call({
        ...{ url: request.url, userAgent, maxBytes, signal },
        addressOf: async (hostname, port) => {
          address = await this.#parts.addressOf(hostname, port);
          return address;
        },
      });
      return await resultOf(await inTime(asked, signal), request, maxBytes, exchange);
    } catch (cause) {
      if (cause instanceof AddressRefused) return { kind: 'refused', by: 'address', rule: cause.message };
      const detail = describePluginFault(plugin, cause);
      if (deadline.aborted) return { kind: 'failed', code: 'deadline', detail, exchange: exchange(), bytes: 0 };
      if (signal.aborted) return { kind: 'failed', code: 'aborted', detail, exchange: exchange(), bytes: 0 };
      const known = cause instanceof ConnectFailure ? cause.failure : classifyError(cause);
      const code = known === 'internal' ? 'plugin-failed' : known;
      return { kind: 'failed', code, detail, ...(address === '' ? {} : { exchange: exchange() }), bytes: 0 };
    }
  }
}

/** A plug-in that does not listen to its signal is not waited for. */
async function inTime<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([asked, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function resultOf(
  answer: SchemeAnswer,
  request: FetchRequest,
  maxBytes: number,
  exchange: () => Exchange,
): Promise<FetchResult> {
  const { status, headers = {}, body = new Uint8Array() } = answer;
  if (!Number.isInteger(status) || status < 100 || status > 599)
    throw new TypeError(`${String(status)} is no status of HTTP`);
  if (!(body instanceof Uint8Array)) throw new TypeError('its body is no Uint8Array');
  const head = new ReceivedHead('1.1', status, '', writtenHeaders(headers, body.byteLength));
  const unwanted = request.wanted?.(head);
  if (unwanted !== undefined) return { kind: 'unwanted', head, exchange: exchange(), reason: unwanted };
  const raw = request.method === 'HEAD' ? new Uint8Array() : body.subarray(0, maxBytes);
  await request.admit?.(raw.byteLength);
  const truncated =
    raw.byteLength < body.byteLength && request.method !== 'HEAD' ? { truncated: 'length' as const } : {};
  return { kind: 'response', head, exchange: exchange(), raw, body: raw, ...truncated };
}

/** One character per byte, without what would begin another line. */
function writtenHeaders(headers: Readonly<Record<string, string>>, length: number): string[] {
  const written = Object.entries(headers)
    .filter(([name]) => !/^(?:content-(?:length|encoding)|transfer-encoding)$/i.test(name))
    .flatMap(([name, value]) => [name, Buffer.from(String(value).replaceAll(/[\r\n\0]+/g, ' ')).toString('latin1')]);
  return [...written, 'Content-Length', String(length)];
}
