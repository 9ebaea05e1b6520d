import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Html } from '../frame/html.ts';

/** What a route answers. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces where it may be of any length: they are asked for as fast as the client reads. */
  readonly body: string | Uint8Array | AsyncIterable<string>;
  /** Takes over the response after its head; `body` counts for nothing then. */
  readonly stream?: (response: ServerResponse) => void;
}

/** Of our own pages: nothing inline, nothing from elsewhere. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Of what is no page: data, files, feeds. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** On everything that is sent. A route may tighten them, never leave one out. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Nothing is told to other sites. With "no-referrer" browsers would send our own forms with the origin "null", and they would be refused.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

export function pageReply(page: Html, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: page.markup,
  };
}

export function jsonReply(value: unknown, status = 200, type = 'application/json'): Reply {
  return {
    status,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'content-security-policy': DATA_POLICY,
    },
    body: `${JSON.stringify(value)}\n`,
  };
}

export function xmlReply(document: Html, type: string): Reply {
  return {
    status: 200,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'content-security-policy': DATA_POLICY,
    },
    body: document.markup,
  };
}

/** Server-sent events: a response that goes on until its reader leaves. */
export function eventStreamReply(stream: (response: ServerResponse) => void): Reply {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': DATA_POLICY,
    // Proxies that gather an answer would hold it back for ever.
    'x-accel-buffering': 'no',
  };
  return { status: 200, headers, body: '', stream };
}

/** Sends a reply; Node itself leaves the body out where HEAD was asked. */
export function send(reply: Reply, response: ServerResponse): void {
  const headers: Record<string, string> = { ...SECURITY_HEADERS, ...reply.headers };
  if (reply.stream !== undefined) {
    response.writeHead(reply.status, headers);
    if (response.req.method === 'HEAD') response.end();
    else reply.stream(response);
    return;
  }
  if (typeof reply.body !== 'string' && !(reply.body instanceof Uint8Array)) {
    response.writeHead(reply.status, headers);
    if (response.req.method === 'HEAD') response.end();
    // A client that leaves, or a piece that fails: either way the connection ends, so that nobody takes a part for the whole.
    else
      Readable.from(reply.body, { objectMode: true, highWaterMark: 1 })
        .once('error', () => response.destroy())
        .pipe(response);
    return;
  }
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  if (reply.status !== 304) headers['content-length'] = String(body.byteLength);
  response.writeHead(reply.status, headers);
  response.end(reply.status === 304 ? undefined : body);
}
