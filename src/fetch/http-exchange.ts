import type { Agent, Dispatcher } from 'undici';
import { type Clock, dateOf } from '../base/clock.ts';
import type { Exchange, FailureCode, FetchRequest, FetchResult } from '../contracts/fetcher.ts';
import { AbandonedStream } from './body/abandoned-stream.ts';
import type { BodyMemory } from './body/body-memory.ts';
import { type Unpacked, unpackBody } from './body/body-unpacking.ts';
import { ReceivedBody } from './body/received-body.ts';
import type { SizeCaps } from './body/size-caps.ts';
import { AddressRefused, ConnectFailure, type Connection } from './connect/connection.ts';
import type { Connector } from './connect/connector.ts';
import type { CookieJar } from './cookie-jar.ts';
import type { DeadlineSweep, Watched } from './deadline-sweep.ts';
import { classifyError } from './failure-table.ts';
import { type Framing, ReceivedHead } from './response-head.ts';
import type { TapListener } from './response-tap.ts';

export interface ExchangeLimits {
  /** From the request to the end of the headers. */
  readonly headersMs: number;
  /** Longest silence between two pieces of the body. */
  readonly bodyIdleMs: number;
  /** From the call to the last byte, resolving and connecting included. */
  readonly totalMs: number;
  /** Bytes per second, measured over windows after a time of grace; 0 for none. */
  readonly minRate: number;
  readonly minRateGraceMs: number;
  readonly minRateWindowMs: number;
  /** Output per input byte of compressed bodies. */
  readonly maxDecodeRatio: number;
}

export interface ExchangeDeps {
  readonly clock: Clock;
  readonly sweep: DeadlineSweep;
  readonly agent: Agent;
  readonly connector: Connector;
  readonly limits: ExchangeLimits;
  readonly caps: SizeCaps;
  readonly cookies?: CookieJar;
  /** What the bodies of all exchanges share; absent: each takes what it needs. */
  readonly memory?: BodyMemory;
}

/** What is sent. `path` is the whole URL where a proxy forwards it. */
export interface OutgoingRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: string[];
  /** Headers whose values are not written down. */
  readonly secrets: readonly string[];
}

const ABANDONED = new Error('no longer wanted');

/** One request and its answer. Invariants: `resolve` is called once; then the connection is released and events ignored. */
export class HttpExchange implements Dispatcher.DispatchHandler, TapListener, Watched {
  readonly #request: FetchRequest;
  readonly #outgoing: OutgoingRequest;
  readonly #deps: ExchangeDeps;
  readonly #resolve: (result: FetchResult) => void;
  readonly #calledAt: number;
  #controller: Dispatcher.DispatchController | undefined;
  #connection: Connection | undefined;
  /** The connection of the request, also after it was released. */
  #over: Connection | undefined;
  #requestHead = '';
  #head: ReceivedHead | undefined;
  #transferCodings: readonly string[] = [];
  #cap = 0;
  readonly #body: ReceivedBody;
  #received = 0;
  #sentAt = 0;
  /** The same in the time of the sweep, as all times below. */
  #sentBySweep = 0;
  #sentDate = 0;
  #bodyAt = 0;
  #progressAt = 0;
  #progressBytes = 0;
  #windowAt = 0;
  #windowBytes = 0;
  #settled = false;

  constructor(
    request: FetchRequest,
    outgoing: OutgoingRequest,
    deps: ExchangeDeps,
    resolve: (result: FetchResult) => void,
  ) {
    this.#request = request;
    this.#outgoing = outgoing;
    this.#deps = deps;
    this.#resolve = resolve;
    this.#calledAt = deps.clock.now();
    this.#body = new ReceivedBody(deps.memory);
  }

  start(): void {
    this.#deps.sweep.watch(this);
    this.#dispatch();
  }

  #dispatch(): void {
    const { origin, path, headers } = this.#outgoing;
    // The client closes the connection after a HEAD: some servers send a body all the same.
    const { method = 'GET', form } = this.#request;
    const sent = form === undefined ? { method } : { method: 'POST' as const, body: form };
    this.#deps.agent.dispatch({ origin, path, headers, ...sent }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (!this.#settled && this.#request.isAllowed?.() === false) this.#fail('aborted', 'it may not begin any more');
    if (this.#settled) {
      controller.abort(ABANDONED);
      return;
    }
    const { clock, connector, sweep } = this.#deps;
    const connection = connector.connectionTo(this.#outgoing.origin);
    if (connection === undefined) {
      this.#fail('internal', 'request without a connection');
      return;
    }
    this.#connection = this.#over = connection;
    connector.begin(connection);
    this.#sentAt = clock.now();
    this.#sentBySweep = sweep.now();
    this.#sentDate = dateOf(clock, this.#sentAt);
    if (connection.tap === undefined) this.#requestHead = this.#h2RequestHead();
    else connection.tap.expect(this);
  }

  onRequestWritten(head: string): void {
    this.#requestHead = withoutSecrets(head, this.#outgoing.secrets);
  }

  onHead(head: ReceivedHead, framing: Framing): void {
    this.#head = head;
    this.#transferCodings = framing.transferCodings;
  }

  onHeadFailure(code: FailureCode, detail: string): void {
    this.#fail(code, detail);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#settled || status < 200) return;
    const head = this.#head ?? h2Head(status, controller.rawHeaders);
    this.#head = head;
    const { cookies, caps, sweep } = this.#deps;
    cookies?.store(this.#request.url, head.headerValues('set-cookie'));
    this.#bodyAt = this.#progressAt = this.#windowAt = sweep.now();
    this.#cap = this.#request.maxBytes ?? caps.capFor(head.header('content-type'));
    const reason = this.#unwantedReason(head);
    if (reason === undefined || this.#settled) return;
    this.#settle({ kind: 'unwanted', head, exchange: this.#exchange(), reason });
    this.#abandon(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#settled) return;
    const room = this.#cap - this.#received;
    if (piece.length > room) {
      if (room > 0) this.#body.add(piece.subarray(0, room));
      this.#received = this.#cap;
      this.#complete('length');
      this.#abandon(controller, 'connection');
      return;
    }
    this.#received += piece.length;
    this.#body.add(piece);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#connection?.tap?.finish();
    this.#complete(undefined);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    if (error instanceof AddressRefused) this.#settle({ kind: 'refused', by: 'address', rule: error.rule });
    else if (error instanceof ConnectFailure) this.#fail(error.failure, error.message);
    else {
      const code = classifyError(error);
      // The connection stood: whatever ended it is no failure to connect any more.
      this.#broken(error, code.startsWith('connect-') ? 'reset' : code);
    }
  }

  #broken(error: Error, code: FailureCode): void {
    const name = (error as NodeJS.ErrnoException).code ?? error.name;
    if (code === 'reset' && this.#connection?.tap?.headBegun) this.#fail('protocol', 'head cut off');
    else if (code === 'reset' && this.#wasStale()) this.#fail('reset', 'a kept connection was closed');
    else if ((code === 'reset' || code === 'protocol') && this.#received > 0) this.#complete('disconnect');
    else this.#fail(code, code === 'internal' ? `${name}: ${error.message}` : name);
  }

  /** Called by the sweep. */
  check(now: number): void {
    const { limits, clock } = this.#deps;
    // The one deadline that is kept whatever this process does: the lease on the URL depends on it.
    const age = clock.now() - this.#calledAt;
    if (this.#request.signal?.aborted) this.#fail('aborted', 'by the caller');
    else if (this.#request.isAllowed?.() === false) this.#fail('aborted', 'it may not go on');
    else if (age >= limits.totalMs) this.#outOfTime(age);
    else if (this.#bodyAt !== 0) this.#checkBody(now);
    else if (this.#sentAt !== 0 && now - this.#sentBySweep >= limits.headersMs) {
      this.#fail('headers-timeout', `after ${now - this.#sentBySweep} ms`);
    }
  }

  /** What has arrived by the last deadline is kept. */
  #outOfTime(age: number): void {
    if (this.#received === 0) this.#fail('deadline', `after ${age} ms`);
    else {
      this.#complete('time');
      this.#abandon(this.#controller, 'connection');
    }
  }

  #checkBody(now: number): void {
    const { limits } = this.#deps;
    if (this.#received !== this.#progressBytes) {
      this.#progressBytes = this.#received;
      this.#progressAt = now;
    } else if (now - this.#progressAt >= limits.bodyIdleMs) {
      this.#fail('body-timeout', `silent for ${now - this.#progressAt} ms`);
      return;
    }
    const window = now - this.#windowAt;
    if (limits.minRate === 0 || now - this.#bodyAt < limits.minRateGraceMs || window < limits.minRateWindowMs) return;
    const rate = ((this.#received - this.#windowBytes) * 1000) / window;
    if (rate < limits.minRate) this.#fail('too-slow', `${Math.round(rate)} bytes per second`);
    this.#windowAt = now;
    this.#windowBytes = this.#received;
  }

  #unwantedReason(head: ReceivedHead): string | undefined {
    try {
      return this.#request.wanted?.(head);
    } catch (error) {
      this.#fail('internal', `wanted: ${String(error)}`);
      return undefined;
    }
  }

  /**
   * The server closed an idle connection just as it was used again. Asking again at once would be a second request within the
   * host's delay if the first was read after all; that is for the frontier to decide.
   */
  #wasStale(): boolean {
    return this.#head === undefined && (this.#connection?.requests ?? 0) > 1;
  }

  /** The exchange ends here: the body may wait for memory, the host and its connection do not. */
  #complete(truncated: 'length' | 'time' | 'disconnect' | undefined): void {
    const exchange = this.#exchange();
    const head = this.#head as ReceivedHead;
    this.#settled = true;
    this.#release();
    this.#deps.sweep.unwatch(this);
    const fail = (code: FailureCode, detail: string): void =>
      this.#resolve({ kind: 'failed', code, detail, exchange, bytes: this.#received });
    const deliver = ({ raw, decoded }: Unpacked): void => {
      if (decoded.kind === 'failed') {
        fail(decoded.code, decoded.detail);
        return;
      }
      const cut = truncated ?? decoded.truncated;
      const result = { kind: 'response', head, exchange, raw, body: decoded.body } as const;
      this.#resolve(cut === undefined ? result : { ...result, truncated: cut });
    };
    const unpacked = unpackBody(
      this.#body,
      { transfer: this.#transferCodings, content: head.header('content-encoding') },
      { maxBytes: this.#cap, maxRatio: this.#deps.limits.maxDecodeRatio },
      this.#request.admit,
    );
    if (unpacked instanceof Promise) unpacked.then(deliver, (error: unknown) => fail('internal', String(error)));
    else deliver(unpacked);
  }

  #fail(code: FailureCode, detail: string): void {
    if (this.#settled) return;
    const exchange = this.#sentAt === 0 ? undefined : this.#exchange();
    this.#settle({ kind: 'failed', code, detail, exchange, bytes: this.#received });
    this.#abandon(this.#controller);
  }

  /**
   * Nothing more is wanted. HTTP/1 gives the connection up for that. With HTTP/2 an abort ends the stream alone, and a server
   * may go on sending as fast as we read: one that was cut off in the midst of a large body, or does not stop, is left.
   */
  #abandon(controller: Dispatcher.DispatchController | undefined, what: 'stream' | 'connection' = 'stream'): void {
    controller?.abort(ABANDONED);
    const connection = this.#over;
    if (connection === undefined || connection.tap !== undefined) return;
    if (what === 'connection') connection.socket.destroy();
    else new AbandonedStream(connection, this.#deps.sweep);
  }

  #settle(result: FetchResult): void {
    this.#settled = true;
    this.#release();
    this.#deps.sweep.unwatch(this);
    this.#body.discard();
    this.#resolve(result);
  }

  #release(): void {
    if (this.#connection !== undefined) this.#deps.connector.end(this.#connection);
    this.#connection = undefined;
  }

  #exchange(): Exchange {
    const endedAt = this.#deps.clock.now();
    return {
      startedAt: this.#sentAt,
      endedAt,
      ...(this.#sentDate === this.#sentAt ? {} : { date: this.#sentDate }),
      address: this.#connection?.address ?? '',
      requestHead: this.#requestHead,
    };
  }

  /** HTTP/2 sends no text; this is the same request in the notation of HTTP/1. */
  #h2RequestHead(): string {
    const { origin, path, headers } = this.#outgoing;
    let text = `${this.#request.method ?? 'GET'} ${path} HTTP/2\r\nhost: ${origin.slice(origin.indexOf('//') + 2)}\r\n`;
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i].toLowerCase()}: ${headers[i + 1]}\r\n`;
    return withoutSecrets(`${text}\r\n`, this.#outgoing.secrets);
  }
}

/** The request head goes into archives, which are passed on: credentials must not go with them. */
function withoutSecrets(head: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return head;
  const hidden = new Set(secrets.map((name) => name.toLowerCase()));
  return head
    .split('\r\n')
    .map((line) => {
      const colon = line.indexOf(':');
      return colon !== -1 && hidden.has(line.slice(0, colon).toLowerCase())
        ? `${line.slice(0, colon)}: [hidden]`
        : line;
    })
    .join('\r\n');
}

/** HTTP/2 gives headers as an object, with arrays for those that occur several times. */
function h2Head(status: number, headers: unknown): ReceivedHead {
  const raw: string[] = [];
  for (const [name, value] of Object.entries((headers ?? {}) as Record<string, string | string[]>)) {
    if (Array.isArray(value)) for (const one of value) raw.push(name, one);
    else raw.push(name, String(value));
  }
  return new ReceivedHead('2', status, '', raw);
}
