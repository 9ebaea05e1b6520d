import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { Addressing } from '../model/addressing.ts';
import { SyntheticWeb } from '../model/synthetic-web.ts';
import type { Reply, WebModel } from '../model/web-model.ts';
import { type WebSpecOverrides, webSpec } from '../model/web-spec.ts';
import { HttpConnection } from './http-connection.ts';
import type { HttpAnswer, HttpHandler, HttpRequest } from './http-exchange.ts';
import { serveHttp2 } from './http2-connection.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { RequestLogFile } from './request-log-file.ts';
import { type Certificate, selfSignedCertificate } from './self-signed-certificate.ts';

export interface WebServerOptions {
  /** 0: any free port. */
  readonly port?: number;
  /** Take any free port where `port` is in use, instead of failing. */
  readonly fallbackPort?: boolean;
  /** Answer on all of 127.0.0.0/8, not on 127.0.0.1 alone. */
  readonly loopbackRange?: boolean;
  /** Also append the log to this file, as JSON lines. */
  readonly logFile?: string;
  /** Gets every request when it has ended, instead of the log in memory, which then stays empty. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** ms since the epoch, with fractions. Pages change by this clock. */
  readonly now?: () => number;
  /** Speak TLS, with HTTP/2 to those who want it. `true` makes a certificate, to be had as `server.certificate`. */
  readonly tls?: boolean | Certificate;
}

export interface SyntheticWebOptions extends WebServerOptions, Partial<Omit<Addressing, 'port' | 'scheme'>> {}

const BACKLOG = 4096;
const PROTOCOLS = ['h2', 'http/1.1'];

/** A simulated web that answers on one port, all hosts by their Host header, and remembers every request. */
export class WebServer<Web extends WebModel = WebModel> implements AsyncDisposable {
  readonly web: Web;
  readonly port: number;
  readonly log: RequestLog;
  /** In PEM, for clients to trust; undefined without TLS. */
  readonly certificate: string | undefined;
  readonly #server: Server;
  readonly #onRequest: (request: LoggedRequest) => void;
  #file: RequestLogFile | undefined;
  readonly #now: () => number;
  readonly #sockets = new Set<Socket>();
  /** How often each page was asked for, up to 255. */
  readonly #visits: Uint8Array;
  #connections = 0;
  #dateSecond = 0;
  #date = '';

  private constructor(server: Server, web: Web, port: number, options: WebServerOptions) {
    this.#server = server;
    this.web = web;
    this.port = port;
    this.log = new RequestLog(web);
    this.#onRequest = options.onRequest ?? ((request) => this.log.add(request));
    this.#file = options.logFile === undefined ? undefined : new RequestLogFile(options.logFile, web);
    this.#now = options.now ?? preciseNow;
    this.#visits = new Uint8Array(web.pageCount);
    if (options.tls === undefined || options.tls === false) {
      server.on('connection', (socket: Socket) => this.#connect(socket));
      return;
    }
    const certificate = options.tls === true ? selfSignedCertificate(certificateNames(web)) : options.tls;
    this.certificate = certificate.cert;
    (server as TlsServer).setSecureContext(certificate);
    server.on('secureConnection', (socket: TLSSocket) => this.#connect(socket, socket.alpnProtocol === 'h2'));
  }

  /** `makeWeb` is told the port, since absolute links hold it. */
  static async start<Web extends WebModel>(
    makeWeb: (port: number) => Web,
    options: WebServerOptions = {},
  ): Promise<WebServer<Web>> {
    const secure = options.tls !== undefined && options.tls !== false;
    const server = secure ? createTlsServer({ ALPNProtocols: PROTOCOLS }) : createServer({ noDelay: true });
    // A range can be listened to only by listening everywhere; strangers are turned away in #connect.
    const address = options.loopbackRange === true ? '0.0.0.0' : '127.0.0.1';
    await listen(server, address, options.port ?? 0).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || options.fallbackPort !== true) throw error;
      return listen(server, address, 0);
    });
    const port = (server.address() as AddressInfo).port;
    return new WebServer(server, makeWeb(port), port, options);
  }

  /** The home page of each host: seeds. */
  get origins(): string[] {
    return Array.from({ length: this.web.hosts.count }, (_, host) => `${this.web.hosts.origin(host)}/`);
  }

  /** Host name -> address, for a crawl's resolver. */
  hostsMap(): Record<string, string> {
    return this.web.hosts.map();
  }

  /** Writes what is still waiting for the log file. */
  flush(): void {
    this.#file?.flush();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#file?.close();
    // Answers that were still waiting out their delay end after this; they reach nobody.
    this.#file = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #connect(socket: Socket, http2 = false): void {
    if (!/^(::ffff:)?127\./.test(socket.remoteAddress ?? '')) {
      socket.destroy();
      return;
    }
    const connection = ++this.#connections;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    const handle: HttpHandler = (request, send) => this.#answer(request, connection, send);
    if (http2) serveHttp2(socket as TLSSocket, handle, this.#now);
    else new HttpConnection(socket, handle, this.#now);
  }

  #answer(request: HttpRequest, connection: number, send: Parameters<HttpHandler>[1]): void {
    const arrive = this.#now();
    const { method, target, agent, protocol, ifNoneMatch, ifModifiedSince, acceptsGzip } = request;
    const host = this.web.hosts.find(request.host);
    if (host < 0) {
      send(this.#dated({ status: 421, headers: [], body: 'no such host here\n' }, arrive, 0), () => {});
      return;
    }
    const located = this.web.locate(host, target);
    let before = 0;
    if (located.kind === 'page') {
      before = this.#visits[located.id];
      if (before < 255) this.#visits[located.id]++;
    }
    const conditional = ifNoneMatch !== undefined || ifModifiedSince !== undefined;
    const answer = (): void => {
      const reply: Reply =
        method === 'GET' || method === 'HEAD'
          ? this.web.reply(host, located, { before, now: arrive, agent, acceptsGzip, ifNoneMatch, ifModifiedSince })
          : { status: 405, headers: ['Allow', 'GET, HEAD'], body: '' };
      const bytes = method === 'HEAD' ? 0 : reply.body.length;
      const { status } = reply;
      send(this.#dated(reply, arrive, this.web.bytesPerSecond(host, located)), (complete, done) => {
        const entry = {
          ...{ arrive, done, host, target, located, status, bytes, method, agent, connection, complete },
          ...{ protocol, conditional },
        };
        this.#onRequest(entry);
        this.#file?.add(entry);
      });
    };
    const delay = this.web.delayMs(host, located);
    if (delay > 0) setTimeout(answer, delay);
    else answer();
  }

  #dated({ status, headers, body }: Reply, now: number, bytesPerSecond: number): HttpAnswer {
    const second = Math.floor(now / 1000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = new Date(second * 1000).toUTCString();
    }
    return { status, headers, body, date: this.#date, bytesPerSecond };
  }
}

/** Serves a synthetic web on loopback. */
export function startSyntheticWeb(
  spec: WebSpecOverrides = {},
  options: SyntheticWebOptions = {},
): Promise<WebServer<SyntheticWeb>> {
  const { mode = 'names', hostsPerAddress = 0, tls = false } = options;
  const whole = webSpec(spec);
  const loopbackRange = mode === 'addresses' || hostsPerAddress > 0;
  const scheme = tls === false ? {} : ({ scheme: 'https' } as const);
  return WebServer.start((port) => new SyntheticWeb(whole, { mode, port, hostsPerAddress, ...scheme }), {
    loopbackRange,
    ...options,
  });
}

/** Every address and bare domain, and for other names one wildcard per domain: they do not grow with those of a domain. */
function certificateNames({ hosts }: WebModel): string[] {
  const names = Object.keys(hosts.map()).map((name) =>
    /^(?:[\d.]+|[^.]+\.[^.]+)$/.test(name) ? name : name.replace(/^[^.]+/, '*'),
  );
  return [...new Set(names)];
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
