import { type IncomingHttpHeaders, performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { HttpAnswer, HttpDone, HttpHandler, HttpRequest } from './http-exchange.ts';
import { writePaced } from './paced-body.ts';

/** The server's side of HTTP/2 on a connection whose TLS is set up. Requests are answered as they come, in any order. */
export function serveHttp2(socket: TLSSocket, handle: HttpHandler, now: () => number): void {
  const session = performServerHandshake(socket);
  session.on('error', () => session.destroy());
  session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // Streams that break off show in `send`.
    stream.on('error', () => stream.destroy());
    let closedAt = Number.POSITIVE_INFINITY;
    stream.on('close', () => {
      closedAt = now();
    });
    const request = requestOf(headers);
    handle(request, (answer, done) => {
      if (stream.destroyed || stream.closed) done(false, Math.min(closedAt, now()));
      else send(stream, request, answer, now, done);
    });
  });
}

function requestOf(headers: IncomingHttpHeaders): HttpRequest {
  return {
    protocol: 'h2',
    method: headers[':method'] ?? 'GET',
    target: headers[':path'] ?? '/',
    host: headers[':authority'] ?? headers.host ?? '',
    agent: headers['user-agent'] ?? '',
    acceptsGzip: headers['accept-encoding']?.includes('gzip') ?? false,
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
  };
}

function send(
  stream: ServerHttp2Stream,
  request: HttpRequest,
  answer: HttpAnswer,
  now: () => number,
  done: HttpDone,
): void {
  const headers: Record<string, string | number> = { ':status': answer.status, date: answer.date };
  for (let i = 0; i < answer.headers.length; i += 2) headers[answer.headers[i].toLowerCase()] = answer.headers[i + 1];
  if (answer.status !== 304) headers['content-length'] = answer.body.length;
  const bare = request.method === 'HEAD' || answer.body === '' || answer.status === 304;
  let told = false;
  let writtenAt = now();
  const tell = (complete: boolean): void => {
    if (!told) done(complete, writtenAt);
    told = true;
  };
  stream.on('close', () => tell(stream.writableFinished));
  stream.respond(headers, { endStream: bare });
  if (bare) return;
  if (answer.bytesPerSecond === 0) {
    stream.end(answer.body, 'latin1', () => tell(true));
    return;
  }
  writePaced(stream, answer.body, answer.bytesPerSecond, now, (complete, lastWriteAt) => {
    writtenAt = lastWriteAt;
    tell(complete);
    stream.end();
  });
}
