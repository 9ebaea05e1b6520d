import type { Socket } from 'node:net';

export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly host: string;
  readonly agent: string;
  readonly keepAlive: boolean;
}

/** Answers a request by calling `send` once, now or later. */
export type HttpHandler = (
  request: HttpRequest,
  send: (text: string, done: (complete: boolean) => void) => void,
) => void;

const MAX_HEAD = 65_536;

/**
 * The server's side of HTTP/1.1 for requests without a body, on a bare socket: half the CPU of node:http for pages of
 * ordinary size, and the server of a benchmark must not be what is measured. Requests of one connection are answered
 * one after the other, pipelined or not.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #handle: HttpHandler;
  #received = '';
  #busy = false;

  constructor(socket: Socket, handle: HttpHandler) {
    this.#socket = socket;
    this.#handle = handle;
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
      let sent = false;
      this.#handle(request, (text, done) => {
        if (this.#socket.destroyed) {
          done(false);
          return;
        }
        this.#socket.write(text, 'latin1', (error) => done(error === undefined || error === null));
        if (!request.keepAlive) this.#socket.end();
        this.#busy = false;
        if (sent) this.#work();
      });
      sent = true;
    }
  }
}

function parseHead(head: string): HttpRequest | undefined {
  const lineEnd = head.indexOf('\r\n');
  const methodEnd = head.indexOf(' ');
  const targetEnd = head.indexOf(' ', methodEnd + 1);
  if (methodEnd <= 0 || targetEnd <= methodEnd + 1 || targetEnd > lineEnd) return undefined;
  let target = head.slice(methodEnd + 1, targetEnd);
  let host = '';
  let agent = '';
  let keepAlive = head.startsWith('HTTP/1.1', targetEnd + 1);
  for (let start = lineEnd + 2; start < head.length; ) {
    const end = head.indexOf('\r\n', start);
    switch (head.charCodeAt(start) | 32) {
      case 104: // h
        host = headerValue(head, start, end, 'host') ?? host;
        break;
      case 117: // u
        agent = headerValue(head, start, end, 'user-agent') ?? agent;
        break;
      case 99: {
        const connection = headerValue(head, start, end, 'connection')?.toLowerCase();
        if (connection === 'close') keepAlive = false;
        else if (connection === 'keep-alive') keepAlive = true;
      }
    }
    start = end + 2;
  }
  // The absolute form, as sent to a proxy: any crawler that can use one needs no names to be resolved.
  if (target.startsWith('http://')) {
    const slash = target.indexOf('/', 7);
    host = slash < 0 ? target.slice(7) : target.slice(7, slash);
    target = slash < 0 ? '/' : target.slice(slash);
  }
  return { method: head.slice(0, methodEnd), target, host, agent, keepAlive };
}

/** The value of the header line [start, end) if it has this name. */
function headerValue(head: string, start: number, end: number, name: string): string | undefined {
  if (head.charCodeAt(start + name.length) !== 58) return undefined;
  if (head.slice(start, start + name.length).toLowerCase() !== name) return undefined;
  return head.slice(start + name.length + 1, end).trim();
}
