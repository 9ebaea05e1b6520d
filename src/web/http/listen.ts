import type { AddressInfo } from 'node:net';
import { createServer, STATUS_CODES } from '../../base/node-http.ts';
import type { WebApp } from '../web-app.ts';
import { SECURITY_HEADERS } from './reply.ts';

export interface ListenOptions {
  /** Loopback by default: whoever wants others to reach the server says so. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** So long `close` waits for requests under way. */
  readonly graceMs?: number;
  /** So long a request may take to arrive. */
  readonly requestMs?: number;
}

export interface Listening extends AsyncDisposable {
  /** http://127.0.0.1:8787/ */
  readonly url: string;
  readonly port: number;
  /** Takes no new requests, ends those under way, and cuts off what is not done in time. */
  close(): Promise<void>;
}

const MAX_HEADERS = 16 * 1_024;
const REQUEST_MS = 10_000;
/** Longer than a reader looks at a page of results: a connection that we close while its next request comes is a reset. */
const IDLE_MS = 30_000;
/** Far more than the readers whose queries can wait; the next ones are turned away before they cost memory. */
const MAX_CONNECTIONS = 1_000;
const GRACE_MS = 3_000;

export async function startWebApp(
  app: Pick<WebApp, 'handle'> & Partial<Pick<WebApp, 'endStreams'>>,
  { host = '127.0.0.1', port = 0, graceMs = GRACE_MS, requestMs = REQUEST_MS }: ListenOptions = {},
): Promise<Listening> {
  const server = createServer(
    {
      ...{ maxHeaderSize: MAX_HEADERS, keepAliveTimeout: IDLE_MS },
      ...{ requestTimeout: requestMs, headersTimeout: requestMs },
      // Otherwise whoever sends a byte now and then is looked at twice a minute only.
      connectionsCheckingInterval: Math.ceil(requestMs / 10),
    },
    (request, response) => void app.handle(request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // Its sender would go on sending, and its request would count as under way.
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.end(refusal(408), () => socket.destroy());
    else socket.end(refusal(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    app.endStreams?.();
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(cut);
  };
  const shown = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return { url: `http://${shown}:${bound.port}/`, port: bound.port, close, [Symbol.asyncDispose]: close };
}

/** To what could not be read as a request at all. */
function refusal(status: number): string {
  const headers = Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}connection: close\r\ncontent-length: 0\r\n\r\n`;
}
