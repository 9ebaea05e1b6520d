import { STATUS_CODES } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Addressing } from './addressing.ts';
import { HttpConnection, type HttpHandler, type HttpRequest } from './http-connection.ts';
import { RequestLog } from './request-log.ts';
import { RequestLogFile } from './request-log-file.ts';
import { SyntheticWeb } from './synthetic-web.ts';
import type { Reply, WebModel } from './web-model.ts';
import { type WebSpecOverrides, webSpec } from './web-spec.ts';

export interface WebServerOptions {
  /** 0: any free port. */
  readonly port?: number;
  /** Take any free port where `port` is in use, instead of failing. */
  readonly fallbackPort?: boolean;
  /** Answer on all of 127.0.0.0/8, not on 127.0.0.1 alone. */
  readonly loopbackRange?: boolean;
  /** Also append the log to this file, as JSON lines. */
  readonly logFile?: string;
  /** ms since the epoch, with fractions. */
  readonly now?: () => number;
}

export interface SyntheticWebOptions extends WebServerOptions, Partial<Omit<Addressing, 'port'>> {}

const BACKLOG = 4096;

/** A simulated web that answers on one port, all hosts by their Host header, and remembers every request. */
export class WebServer<Web extends WebModel = WebModel> implements AsyncDisposable {
  readonly web: Web;
  readonly port: number;
  readonly log: RequestLog;
  readonly #server: Server;
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
    this.#file = options.logFile === undefined ? undefined : new RequestLogFile(options.logFile, web);
    this.#now = options.now ?? preciseNow;
    this.#visits = new Uint8Array(web.pageCount);
    server.on('connection', (socket) => this.#connect(socket));
  }

  /** `makeWeb` is told the port, since absolute links hold it. */
  static async start<Web extends WebModel>(
    makeWeb: (port: number) => Web,
    options: WebServerOptions = {},
  ): Promise<WebServer<Web>> {
    const server = createServer({ noDelay: true });
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
    return Array.from({ length: this.web.hosts.count }, (_, host) => `http://${this.web.hosts.authority(host)}/`);
  }

  /** Host name -> address, for a crawl's resolver. */
  hostsMap(): Record<string, string> {
    return this.web.hosts.map();
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

  #connect(socket: Socket): void {
    if (!/^(::ffff:)?127\./.test(socket.remoteAddress ?? '')) {
      socket.destroy();
      return;
    }
    const connection = ++this.#connections;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    new HttpConnection(socket, (request, send) => this.#answer(request, connection, send));
  }

  #answer(request: HttpRequest, connection: number, send: Parameters<HttpHandler>[1]): void {
    const arrive = this.#now();
    const { method, target, agent } = request;
    const host = this.web.hosts.find(request.host);
    if (host < 0) {
      send(this.#write(request, { status: 421, headers: [], body: 'no such host here\n' }, arrive), () => {});
      return;
    }
    const located = this.web.locate(host, target);
    let before = 0;
    if (located.kind === 'page') {
      before = this.#visits[located.id];
      if (before < 255) this.#visits[located.id]++;
    }
    const answer = (): void => {
      const reply: Reply =
        method === 'GET' || method === 'HEAD'
          ? this.web.reply(host, located, { before, now: arrive })
          : { status: 405, headers: ['Allow', 'GET, HEAD'], body: '' };
      const bytes = method === 'HEAD' ? 0 : reply.body.length;
      const { status } = reply;
      send(this.#write(request, reply, arrive), (complete) => {
        const done = this.#now();
        const entry = { arrive, done, host, target, located, status, bytes, method, agent, connection, complete };
        this.log.add(entry);
        this.#file?.add(entry);
      });
    };
    const delay = this.web.delayMs(host, located);
    if (delay > 0) setTimeout(answer, delay);
    else answer();
  }

  #write(request: HttpRequest, reply: Reply, now: number): string {
    const { status, headers, body } = reply;
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
    text += `Content-Length: ${body.length}\r\nDate: ${this.#httpDate(now)}\r\n`;
    text += request.keepAlive ? '\r\n' : 'Connection: close\r\n\r\n';
    return request.method === 'HEAD' ? text : text + body;
  }

  #httpDate(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = new Date(second * 1000).toUTCString();
    }
    return this.#date;
  }
}

/** Serves a synthetic web on loopback. */
export function startSyntheticWeb(
  spec: WebSpecOverrides = {},
  options: SyntheticWebOptions = {},
): Promise<WebServer<SyntheticWeb>> {
  const { mode = 'names', hostsPerAddress = 0 } = options;
  const whole = webSpec(spec);
  const loopbackRange = mode === 'addresses' || hostsPerAddress > 0;
  return WebServer.start((port) => new SyntheticWeb(whole, { mode, port, hostsPerAddress }), {
    loopbackRange,
    ...options,
  });
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
