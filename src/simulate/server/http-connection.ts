import type { Socket } from 'node:net';
import { STATUS_CODES } from '../../base/node-http.ts';
import type { HttpAnswer, HttpDone, HttpHandler, HttpRequest } from './http-exchange.ts';
import { writePaced } from './paced-body.ts';

interface Http1Request extends HttpRequest {
  readonly keepAlive: boolean;
}

const MAX_HEAD = 65_536;

/**
 * The server's side of HTTP/1.1 for requests without a body, on a bare socket: half the CPU of node:http for pages of
 * ordinary size, and the server of a benchmark must not be what is measured. Requests of one connection are answered
 * one after the other, pipelined or not.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #handle: HttpHandler;
  readonly #now: () => number;
  #received = '';
  #busy = false;
  #closedAt = Number.POSITIVE_INFINITY;

  constructor(socket: Socket, handle: HttpHandler, now: () => number) {
    this.#socket = socket;
    this.#handle = handle;
    this.#now = now;
    socket.on('close', () => {
      this.#closedAt = now();
    });
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      this.#received = this.#received === '' ? text : this.#received + text;
      this.#work();
    });
    // A broken connection shows in the write that fails; there is nobody else to tell.
    socket.on('error', () => socket.destroy());
  }

  #work(): void {
    while (!this.#busy && this.#received !== '') {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end < 0) {
        if (this.#received.length > MAX_HEAD) this.#socket.destroy();
        return;
      }
      const request = parseHead(this.#received.slice(0, end + 2));
      this.#received = this.#received.slice(end + 4);
      if (request === undefined) {
        this.#socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        this.#received = '';
        return;
      }
      this.#busy = true;
      let returned = false;
      this.#handle(request, (answer, done) => {
        this.#send(request, answer, done, () => {
          if (!request.keepAlive) this.#socket.end();
          this.#busy = false;
          if (returned) this.#work();
        });
      });
      returned = true;
    }
  }

  /** `free` is called when the next request may be answered. */
  #send(request: Http1Request, answer: HttpAnswer, done: HttpDone, free: () => void): void {
    if (this.#socket.destroyed) {
      done(false, Math.min(this.#closedAt, this.#now()));
      return;
    }
    const head = writeHead(request, answer);
    if (answer.bytesPerSecond > 0 && request.method !== 'HEAD' && answer.body !== '') {
      this.#socket.write(head, 'latin1');
      writePaced(this.#socket, answer.body, answer.bytesPerSecond, this.#now, (complete, lastWriteAt) => {
        done(complete, lastWriteAt);
        free();
      });
      return;
    }
    const whole = request.method === 'HEAD' ? head : head + answer.body;
    const writtenAt = this.#now();
    this.#socket.write(whole, 'latin1', (error) => done(error === undefined || error === null, writtenAt));
    free();
  }
}

function writeHead(request: Http1Request, { status, headers, body, date }: HttpAnswer): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  text += status === 304 ? `Date: ${date}\r\n` : `Content-Length: ${body.length}\r\nDate: ${date}\r\n`;
  return text + (request.keepAlive ? '\r\n' : 'Connection: close\r\n\r\n');
}

function parseHead(head: string): Http1Request | undefined {
  const lineEnd = head.indexOf('\r\n');
  const methodEnd = head.indexOf(' ');
  const targetEnd = head.indexOf(' ', methodEnd + 1);
  if (methodEnd <= 0 || targetEnd <= methodEnd + 1 || targetEnd > lineEnd) return undefined;
  let target = head.slice(methodEnd + 1, targetEnd);
  let host = '';
  let agent = '';
  let keepAlive = head.startsWith('HTTP/1.1', targetEnd + 1);
  let acceptsGzip = false;
  let ifNoneMatch: string | undefined;
  let ifModifiedSince: string | undefined;
  for (let start = lineEnd + 2; start < head.length; ) {
    const end = head.indexOf('\r\n', start);
    switch (head.charCodeAt(start) | 32) {
      case 97: // a
        acceptsGzip ||= headerValue(head, start, end, 'accept-encoding')?.includes('gzip') ?? false;
        break;
      case 99: {
        const connection = headerValue(head, start, end, 'connection')?.toLowerCase();
        if (connection === 'close') keepAlive = false;
        else if (connection === 'keep-alive') keepAlive = true;
        break;
      }
      case 104: // h
        host = headerValue(head, start, end, 'host') ?? host;
        break;
      case 105: // i
        ifNoneMatch ??= headerValue(head, start, end, 'if-none-match');
        ifModifiedSince ??= headerValue(head, start, end, 'if-modified-since');
        break;
      case 117: // u
        agent = headerValue(head, start, end, 'user-agent') ?? agent;
    }
    start = end + 2;
  }
  // The absolute form, as sent to a proxy: any crawler that can use one needs no names to be resolved.
  if (target.startsWith('http://')) {
    const slash = target.indexOf('/', 7);
    host = slash < 0 ? target.slice(7) : target.slice(7, slash);
    target = slash < 0 ? '/' : target.slice(slash);
  }
  const method = head.slice(0, methodEnd);
  return { protocol: 'http/1.1', method, target, host, agent, keepAlive, acceptsGzip, ifNoneMatch, ifModifiedSince };
}

/** The value of the header line [start, end) if it has this name. */
function headerValue(head: string, start: number, end: number, name: string): string | undefined {
  if (head.charCodeAt(start + name.length) !== 58) return undefined;
  if (head.slice(start, start + name.length).toLowerCase() !== name) return undefined;
  return head.slice(start + name.length + 1, end).trim();
}
